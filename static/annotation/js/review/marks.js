/* What a person marked in the picture: boxes, points and at most one region, in image pixels. No drawing here. */

const LEAST_SIDE = 2;

/** @typedef {{kind: "box"|"region"|"point", at: number[]}} Mark */

export class Marks extends EventTarget {
  /** @type {Mark[]} */
  list = [];

  /** @type {?("box"|"region"|"point")} the tool in hand */
  tool = null;

  /** @type {?Mark} being drawn, not kept yet */
  pending = null;

  selected = -1;

  /** Begin with an empty picture. @param {{width: number, height: number}} image @param {Mark[]} [list] of a draft */
  reset(image, list = []) {
    this.image = image;
    this.list = list;
    this.selected = -1;
    this.putAway();
  }

  of(kind) {
    return this.list.filter((mark) => mark.kind === kind).map((mark) => mark.at);
  }

  takeUp(tool, pending = null) {
    this.tool = tool;
    this.pending = pending && { kind: tool, at: this.#inside(pending) };
    this.#changed();
  }

  putAway() {
    this.tool = null;
    this.pending = null;
    this.#changed();
  }

  /** Move the mark being drawn to `at`; a box's corners may come in any order. */
  draw(at) {
    this.pending = { kind: this.tool, at: this.#inside(at) };
    this.#changed();
  }

  /** Drop the mark being drawn, keep the tool. */
  undraw() {
    this.pending = null;
    this.#changed();
  }

  /** Keep the mark being drawn; false when it is too small. Points stay in hand for the next one, boxes do not. */
  keep() {
    if (!this.pending || !this.#large(this.pending)) return false;
    const { kind } = this.pending;
    if (kind === "region") this.list = this.list.filter((mark) => mark.kind !== "region");
    this.list = [...this.list, this.pending];
    this.selected = this.list.length - 1;
    if (kind !== "point") this.tool = null;
    this.pending = null;
    this.#changed();
    this.dispatchEvent(new CustomEvent("kept", { detail: { kind } }));
    return true;
  }

  select(index) {
    this.selected = index;
    this.#changed();
  }

  /** Remove a mark: the one named, else the selected, else the newest. False when there is none. */
  remove(index = this.selected) {
    const which = index >= 0 ? index : this.list.length - 1;
    if (which < 0 || which >= this.list.length) return false;
    this.list = this.list.filter((_, place) => place !== which);
    this.selected = -1;
    this.#changed();
    this.dispatchEvent(new Event("removed"));
    return true;
  }

  #large({ kind, at: [left, top, right, bottom] }) {
    return kind === "point" || (right - left >= LEAST_SIDE && bottom - top >= LEAST_SIDE);
  }

  #inside(at) {
    const { width, height } = this.image;
    const clamp = (value, most) => Math.round(Math.min(most, Math.max(0, value)));
    const [x1, y1, x2, y2] = at;
    if (at.length === 2) return [clamp(x1, width), clamp(y1, height)];
    return [
      clamp(Math.min(x1, x2), width),
      clamp(Math.min(y1, y2), height),
      clamp(Math.max(x1, x2), width),
      clamp(Math.max(y1, y2), height),
    ];
  }

  #changed() {
    this.dispatchEvent(new Event("changed"));
  }
}
