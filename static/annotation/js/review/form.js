/* The verdict form: shows the fields a verdict needs, ties marks to evidence, reads and restores what was entered,
   and says what is still missing. Knows nothing of the network. */

import { RADIOS, offer, radio, read, restore } from "./fields.js";
import { missing } from "./rules.js";

const GROUND_OF_MARK = { box: { seenBy: "box", knownBy: "box" }, point: { seenBy: "points" }, region: { knownBy: "region" } };

export class Form extends EventTarget {
  /**
   * @param {HTMLFormElement} form
   * @param {{foot: HTMLElement, marks: object, seen: object, messages: object}} others
   */
  constructor(form, { foot, marks, seen, messages }) {
    super();
    Object.assign(this, { form, foot, marks, seen, messages });
    this.said = foot.querySelector("[data-part=missing]");
    this.heading = form.querySelector("[data-part=question]");
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", (event) => this.#entered(event.target));
    marks.addEventListener("kept", (event) => this.#marked(event.detail.kind));
    marks.addEventListener("removed", () => this.#counted());
    marks.addEventListener("changed", () => this.refresh());
    seen.addEventListener("share", () => this.refresh());
  }

  /**
   * A new question, empty or from a draft.
   * @param {{question: string, options: string[]}} item @param {object} policy @param {object} [draft]
   */
  open(item, policy, draft = {}) {
    this.form.reset();
    this.form.hidden = this.foot.hidden = false;
    this.options = item.options || [];
    this.policy = policy;
    this.autoAnswer = "";
    this.refusal = null;
    this.heading.textContent = item.question;
    offer(this.form, this.options);
    restore(this.form, draft, this.options.length > 0);
    this.lock("");
    this.heading.focus({ preventScroll: true });
  }

  close() {
    this.form.hidden = this.foot.hidden = true;
  }

  /** While a vote is on its way its form stands still, and `sentence` says so; "" opens it again.
      Inert, not disabled: disabled fields would read as empty. */
  lock(sentence) {
    const locked = Boolean(sentence);
    this.lockedBy = sentence;
    this.form.inert = locked;
    for (const button of this.foot.querySelectorAll("button")) button.disabled = locked;
    this.refresh();
  }

  get locked() {
    return Boolean(this.lockedBy);
  }

  /** What is said beside Submit. */
  get sentence() {
    return this.said.textContent;
  }

  /** @returns {import("./rules.js").Entry} */
  read() {
    return {
      ...read(this.form, this.options.length > 0),
      boxes: this.marks.of("box"),
      points: this.marks.of("point"),
      regions: this.marks.of("region"),
    };
  }

  choose(verdict) {
    if (this.locked) return;
    const chosen = radio(this.form, "verdict", verdict);
    chosen.checked = true;
    this.#entered(chosen);
    this.#focusIn(this.form.querySelector(`[data-for=${verdict}]`));
  }

  comment() {
    this.form.querySelector("[data-part=more]").open = true;
    this.form.elements.comment.focus();
  }

  /** The first thing missing, or null. */
  get lack() {
    const search = { share: (region) => this.seen.share(region), needed: this.policy.needed_share };
    return missing(this.read(), this.options.length > 0, search);
  }

  /** Show where something is missing, and leave the keys alive. */
  pointOut({ field }) {
    const place = [...this.form.querySelectorAll(`[data-field=${field}]`)].find((node) => node.offsetParent);
    if (field === "answer" && place) this.#focusIn(place);
    else this.heading.focus({ preventScroll: true });
    place?.scrollIntoView({ block: "nearest" });
    this.said.dataset.refused = "true";
  }

  /** What the server found wrong. @param {string} detail @param {Object<string, string[]>} errors */
  refuse(detail, errors) {
    this.refusal = Object.values(errors).flat().join(" ") || detail;
    this.lock("");
    this.pointOut({ field: Object.keys(errors)[0]?.split(".")[0] || "verdict" });
  }

  /** Bring fields, hints and the sentence beside Submit up to date. */
  refresh() {
    if (this.form.hidden || !this.policy) return;
    const entry = this.read();
    for (const part of this.form.querySelectorAll("[data-for]")) part.hidden = part.dataset.for !== entry.verdict;
    this.form.querySelector("[data-part=waivers]").hidden = entry.knownBy !== "waiver";
    this.form.querySelector("[data-part=coverage]").textContent = this.#fill(this.messages.coverage);
    const lack = this.lack;
    const due = this.#fill(lack ? this.messages[lack.say] : this.messages.ready, entry.regions[0]);
    this.said.textContent = this.lockedBy || this.refusal || due;
    this.said.dataset.complete = String(!lack && !this.refusal && !this.locked);
    if (!this.refusal) delete this.said.dataset.refused;
  }

  #fill(sentence, region) {
    const percent = (share) => `${Math.floor(share * 100 + 1e-9)}`;
    return sentence
      .replace("{seen}", percent(this.seen.share()))
      .replace("{inside}", percent(region ? this.seen.share(region) : 0))
      .replace("{needed}", percent(this.policy.needed_share));
  }

  #focusIn(part) {
    const place = [...(part?.querySelectorAll("input, textarea") || [])].find((node) => node.offsetParent);
    if (place?.type === "text") place.focus();
    else this.heading.focus({ preventScroll: true });
  }

  #entered(control) {
    this.refusal = null;
    if (control.name === "verdict") this.#groundFromMarks();
    if (control.name === "answer") this.autoAnswer = "";
    if (control.name === "seen-by") this.#counted();
    this.refresh();
    this.dispatchEvent(new Event("changed"));
  }

  /** A mark says what kind of evidence it is. */
  #marked(kind) {
    for (const [field, value] of Object.entries(GROUND_OF_MARK[kind])) radio(this.form, RADIOS[field], value).checked = true;
    this.#counted();
    this.refusal = null;
    this.refresh();
    this.dispatchEvent(new Event("changed"));
  }

  /** Marks made before the verdict was chosen count for it. */
  #groundFromMarks() {
    const entry = this.read();
    if (!entry.seenBy && entry.points.length) radio(this.form, "seen-by", "points").checked = true;
    const ground = entry.regions.length ? "region" : entry.boxes.length ? "box" : "search";
    if (!entry.knownBy) radio(this.form, "known-by", ground).checked = true;
  }

  /** One click per counted thing fills in the number, as long as nobody wrote another. */
  #counted() {
    const { points, seenBy } = this.read();
    const { answer } = this.form.elements;
    if (seenBy !== "points" || this.options.length || (answer.value && answer.value !== this.autoAnswer)) return;
    answer.value = this.autoAnswer = points.length ? String(points.length) : "";
  }
}
