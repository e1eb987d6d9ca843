/* Marks as SVG over the picture. The group's transform follows the viewport, so shapes are written in image pixels;
   the strokes keep their width at every zoom (non-scaling-stroke in the style sheet). */

const SVG = "http://www.w3.org/2000/svg";
const POINT_CSS_PX = 6;
const LABEL_CSS_PX = 14;
const LABEL_GAP_CSS_PX = 6;

function element(name, attributes, parent) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  parent?.append(node);
  return node;
}

export class Overlay {
  /** @param {import("./viewer.js").Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.svg = element("svg", { class: "marks", "aria-hidden": "true" });
    this.ground = element("g", { class: "ground" }, this.svg);
    this.group = element("g", {}, this.svg);
    viewer.osd.canvas.append(this.svg);
    for (const name of ["shown", "moved"]) viewer.addEventListener(name, () => this.place());
  }

  /** Follow the viewport: origin, scale and rotation of the picture on the screen. */
  place() {
    if (!this.viewer.ready) return;
    const item = this.viewer.osd.world.getItemAt(0);
    const { viewport } = this.viewer;
    const origin = viewport.pixelFromPoint(item.imageToViewportCoordinates(0, 0), true);
    const { scale } = this.viewer;
    const turn = viewport.getRotation(true);
    const transform = `translate(${origin.x} ${origin.y}) rotate(${turn}) scale(${scale})`;
    for (const group of [this.ground, this.group]) group.setAttribute("transform", transform);
    if (scale !== this.drawnAt) this.#resize(scale);
  }

  /** @param {Array<{kind: string, at: number[], state?: string, label?: string, voter?: number}>} marks */
  show(marks) {
    this.group.replaceChildren();
    for (const mark of marks) this.#draw(mark);
    this.#resize(this.viewer.scale);
  }

  /** Plain rectangles beneath the marks. @param {Array<{at: number[], name: string, strength?: number}>} rectangles */
  lay(rectangles) {
    this.ground.replaceChildren();
    for (const { at, name, strength = 1 } of rectangles) {
      const [x, y] = at;
      const size = { width: at[2] - x, height: at[3] - y };
      element("rect", { class: name, x, y, ...size, "fill-opacity": strength }, this.ground);
    }
  }

  #draw({ kind, at, state = "", label = "", voter = 0 }) {
    const holder = element("g", voter ? { "data-voter": voter } : {}, this.group);
    for (const layer of ["halo", `${kind} ${state}`.trim()]) {
      if (kind === "point") element("circle", { class: layer, cx: at[0], cy: at[1], r: 1 }, holder);
      else element("rect", { class: layer, x: at[0], y: at[1], width: at[2] - at[0], height: at[3] - at[1] }, holder);
    }
    if (label) element("text", { x: at[0], y: at[1] }, holder).textContent = label;
  }

  /** Points and labels are sized for the screen, so they are set again at every scale. */
  #resize(scale) {
    if (!scale) return;
    this.drawnAt = scale;
    for (const circle of this.group.querySelectorAll("circle")) circle.setAttribute("r", String(POINT_CSS_PX / scale));
    for (const text of this.group.querySelectorAll("text")) {
      text.setAttribute("font-size", String(LABEL_CSS_PX / scale));
      text.setAttribute("dx", String(LABEL_GAP_CSS_PX / scale));
      text.setAttribute("dy", String(-LABEL_GAP_CSS_PX / scale));
    }
  }
}
