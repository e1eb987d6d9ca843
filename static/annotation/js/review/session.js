/* The loop: next question, show, vote, next; without loading the page again. What it does is announced on the root
   element: review:shown, review:saved, review:empty, review:stuck, review:refused. */

import { LoggedOut, Unreachable, newKey } from "./api.js";
import { take } from "./drafts.js";
import { keepGrant } from "./grant.js";
import { body } from "./rules.js";

const LOOK_AGAIN_MS = 15_000;

export class Session {
  #current = null;
  #timer = 0;
  #asking = null;

  /**
   * @param {HTMLElement} root
   * @param {object} parts api, outbox, delivery, viewer, marks, trace, seen, form, panel, notices, upkeep, messages
   */
  constructor(root, parts) {
    Object.assign(this, { root }, parts);
    this.delivery.addEventListener("delivered", (event) => this.#delivered(event.detail));
    this.delivery.addEventListener("refused", (event) => this.#refused(event.detail));
    this.delivery.addEventListener("stuck", (event) => this.#stuck(event.detail));
    this.upkeep.addEventListener("lost", (event) => this.notices.leaseLost(event.detail.error, () => this.next()));
    this.upkeep.addEventListener("alive", () => this.notices.loggedIn());
    this.upkeep.addEventListener("logged-out", () => this.notices.loggedOut());
    keepGrant({ api: this.api, viewer: this.viewer, current: () => this.#current, open: (image) => this.#open(image, true) });
  }

  /** Refused votes are shown again, waiting ones go first; then the next question. */
  async start() {
    this.panel.busy(this.messages.loading);
    for (const kept of await this.outbox.refused()) this.#showRefused(kept, kept.reason);
    // A vote delivered just now has asked for the next question already.
    if ((await this.delivery.send()) && !this.#asking) await this.next();
  }

  /** Several calls at once are one. */
  next() {
    this.#asking ||= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask() {
    clearTimeout(this.#timer);
    this.#leave();
    this.panel.busy(this.messages.loading);
    try {
      const answer = await this.api.next();
      this.notices.clear();
      this.panel.progress({ ...answer.progress, ...(!answer.assignment && { voted: undefined }) });
      if (answer.assignment) this.#show(answer);
      else this.#empty(answer);
    } catch (error) {
      this.#noNext(error);
    }
  }

  async submit() {
    if (!this.#current || this.form.locked || this.#asking) return;
    const { lack } = this.form;
    if (lack) {
      this.form.pointOut(lack);
      this.panel.announce(this.form.sentence);
      return;
    }
    this.form.lock(this.messages.sending);
    this.trace.stop();
    const { key, assignment } = this.#current;
    await this.outbox.put(key, assignment.token, body(assignment.token, this.form.read(), this.trace));
    await this.delivery.send();
  }

  async skip(sure = false) {
    if (!this.#current || this.form.locked || this.#asking) return;
    if (!sure && (this.form.read().verdict || this.marks.list.length)) {
      this.notices.sureToSkip(() => this.skip(true), () => this.stay());
      return;
    }
    this.notices.skipSettled();
    this.form.lock(this.messages.skipping);
    try {
      await this.api.skip(this.#current.assignment.token);
    } catch (error) {
      // 409: skipped or voted on already, in another window or by a request whose answer got lost.
      if (error.status !== 409) return this.#notSkipped(error);
    }
    this.panel.announce(this.messages.skipped);
    await this.next();
  }

  /** No skip after all: the keys belong to the question again. */
  stay() {
    this.notices.skipSettled();
    this.form.heading.focus({ preventScroll: true });
  }

  #notSkipped(error) {
    this.form.lock("");
    this.form.heading.focus({ preventScroll: true });
    this.notices.notSkipped(error, () => this.skip(true));
    this.#tell("stuck", { loggedOut: error instanceof LoggedOut });
  }

  /** What a draft holds: the entry, the marks, the search so far, and the key its vote will carry. */
  draft() {
    const search = { trace: this.trace.closed, active_ms: Math.round(this.trace.activeMs) };
    return { ...this.form.read(), marks: this.marks.list, key: this.#current?.key, ...search };
  }

  #show(answer) {
    const { assignment, item, image, guideline, policy } = answer;
    const before = take(assignment.token) || answer.draft || {};
    this.#current = { ...answer, key: before.key || newKey() };
    this.panel.guideline(guideline);
    this.marks.reset(image, Array.isArray(before.marks) ? before.marks : []);
    this.form.open(item, policy, before);
    this.upkeep.start(assignment);
    globalThis.scrollTo(0, 0);
    this.panel.announce(item.question);
    this.#search(answer, before);
  }

  /** The picture comes when it comes; the question can be read, skipped and voted on meanwhile. */
  async #search({ assignment, item, image, policy }, before) {
    if (!(await this.#open(image)) || this.#current?.assignment !== assignment) return;
    this.viewer.allowScale(policy.needed_scale);
    this.trace.start({ samples: before.trace, active_ms: before.active_ms });
    this.seen.start(image, policy);
    this.trace.moved();
    this.#tell("shown", { question: item.question });
  }

  /** False when the picture cannot be had. */
  async #open(image, keepView = false) {
    try {
      await this.viewer.open(image, { keepView });
    } catch {
      this.notices.noPicture(() => this.next());
      return false;
    }
    this.notices.picture();
    return true;
  }

  #leave() {
    this.#current = null;
    this.upkeep.stop();
    this.trace.stop();
    this.form.close();
    this.seen.stop();
    this.viewer.close();
    this.panel.hint("");
  }

  #empty({ reason, detail }) {
    this.panel.veil(" ");
    this.panel.idle(this.messages.empty[reason] || this.messages.empty.other, detail);
    if (reason === "busy") this.#timer = setTimeout(() => this.next(), LOOK_AGAIN_MS);
    this.#tell("empty", { reason });
  }

  #noNext(error) {
    const retry = () => this.next();
    this.notices.noNext(error, retry);
    if (error instanceof Unreachable && !this.#current) this.#timer = setTimeout(retry, LOOK_AGAIN_MS);
    this.#tell("stuck", { loggedOut: error instanceof LoggedOut });
  }

  async #delivered({ kept, answer }) {
    this.notices.loggedIn();
    if (this.#isCurrent(kept)) this.panel.progress(answer.progress);
    this.panel.announce(answer.late ? this.messages.savedLate : this.messages.saved);
    this.#tell("saved", { vote: answer.vote, late: answer.late });
    if (!this.#current || this.#isCurrent(kept)) await this.next();
  }

  async #refused({ kept, error }) {
    this.notices.loggedIn();
    this.#tell("refused", { code: error.code });
    if (this.#isCurrent(kept) && error.status === 400) {
      await this.outbox.drop(kept.key);
      this.trace.start({ samples: this.trace.samples, active_ms: this.trace.activeMs });
      this.form.refuse(error.message, error.errors);
      this.panel.announce(this.form.sentence);
      return;
    }
    this.#showRefused(kept, error.message);
    if (!this.#current || this.#isCurrent(kept)) await this.next();
  }

  #isCurrent(kept) {
    return kept.assignment === this.#current?.assignment.token;
  }

  #showRefused(kept, reason) {
    this.notices.refusedVote(kept.key, reason, () => this.outbox.drop(kept.key));
  }

  #stuck({ kept, loggedOut, durable }) {
    if (loggedOut) this.notices.loggedOut();
    else this.notices.kept(durable);
    if (this.#isCurrent(kept)) this.form.lock(this.messages.notSaved);
    this.#tell("stuck", { loggedOut });
  }

  #tell(name, detail) {
    this.root.dispatchEvent(new CustomEvent(`review:${name}`, { bubbles: true, detail }));
  }
}
