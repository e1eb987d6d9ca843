/* Drawing marks: by mouse, pen and one finger through pointer events, and by keys. Keeps nothing itself: see marks.js. */

const STEP_CSS_PX = 8;
const FIRST_SHARE = 0.25;
const CLICK_CSS_PX = 4;

export class Draw {
  /**
   * @param {import("./viewer.js").Viewer} viewer
   * @param {import("./marks.js").Marks} marks
   * @param {SVGElement} surface what receives pointers while a tool is in hand
   */
  constructor(viewer, marks, surface) {
    this.viewer = viewer;
    this.marks = marks;
    this.surface = surface;
    surface.addEventListener("pointerdown", (event) => this.#down(event));
    surface.addEventListener("pointermove", (event) => this.#move(event));
    surface.addEventListener("pointerup", (event) => this.#up(event));
    surface.addEventListener("pointercancel", () => this.#cancel());
    marks.addEventListener("changed", () => surface.setAttribute("data-armed", String(Boolean(marks.tool))));
  }

  /** Take a tool up with a first mark in the middle of what is seen, ready for the keys; or put it away again. */
  toggle(tool) {
    if (!this.viewer.ready) return;
    if (this.marks.tool === tool) {
      this.marks.putAway();
      return;
    }
    this.marks.takeUp(tool, this.#inTheMiddle(tool));
  }

  /** @param {"left"|"right"|"up"|"down"} direction @param {boolean} resize move the lower right corner only */
  nudge(direction, resize) {
    const step = Math.max(1, Math.round(STEP_CSS_PX / this.viewer.scale));
    const [right, down] = this.#turned({ left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction]);
    const { at } = this.marks.pending || { at: this.#inTheMiddle(this.marks.tool) };
    const moved = at.map((value, index) => (resize && index < 2 ? value : value + step * (index % 2 ? down : right)));
    if (resize && at.length === 4) this.marks.draw([at[0], at[1], Math.max(at[0] + 2, moved[2]), Math.max(at[1] + 2, moved[3])]);
    else this.marks.draw(this.#held(moved));
  }

  keep() {
    const { tool } = this.marks;
    if (this.marks.keep() && tool === "point") this.marks.draw(this.#inTheMiddle("point"));
  }

  /** A moved box keeps its size at the picture's edge. */
  #held(at) {
    if (at.length === 2) return at;
    const { width, height } = this.marks.image;
    const [w, h] = [at[2] - at[0], at[3] - at[1]];
    const x = Math.min(Math.max(0, at[0]), width - w);
    const y = Math.min(Math.max(0, at[1]), height - h);
    return [x, y, x + w, y + h];
  }

  /** A direction on the screen as one in the picture, which may be turned. */
  #turned([right, down]) {
    const turn = (-this.viewer.viewport.getRotation() * Math.PI) / 180;
    const [cos, sin] = [Math.round(Math.cos(turn)), Math.round(Math.sin(turn))];
    return [right * cos - down * sin, right * sin + down * cos];
  }

  #inTheMiddle(tool) {
    const size = this.viewer.viewport.getContainerSize();
    const centre = this.viewer.toImage(size.x / 2, size.y / 2);
    if (tool === "point") return [centre.x, centre.y];
    const half = (Math.min(size.x, size.y) * FIRST_SHARE) / 2 / this.viewer.scale;
    return [centre.x - half, centre.y - half, centre.x + half, centre.y + half];
  }

  #place(event) {
    const frame = this.surface.getBoundingClientRect();
    const point = this.viewer.toImage(event.clientX - frame.left, event.clientY - frame.top);
    return [point.x, point.y];
  }

  #down(event) {
    if (!this.marks.tool || event.button > 0 || !event.isPrimary) return;
    event.stopPropagation(); // the picture stays where it is while a mark is drawn
    this.surface.setPointerCapture(event.pointerId);
    this.from = { at: this.#place(event), x: event.clientX, y: event.clientY };
    if (this.marks.tool === "point") this.marks.draw(this.from.at);
  }

  #move(event) {
    if (!this.from) return;
    event.stopPropagation();
    if (this.marks.tool === "point") this.marks.draw(this.#place(event));
    else this.marks.draw([...this.from.at, ...this.#place(event)]);
  }

  #up(event) {
    if (!this.from) return;
    event.stopPropagation();
    const click = Math.hypot(event.clientX - this.from.x, event.clientY - this.from.y) < CLICK_CSS_PX;
    this.from = null;
    if (click && this.marks.tool !== "point") this.marks.undraw();
    else if (!this.marks.keep()) this.marks.undraw();
  }

  #cancel() {
    this.from = null;
    this.marks.undraw();
  }
}
