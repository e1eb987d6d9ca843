/* The seen-map: a small picture of the whole with everything dimmed that has not been seen close enough, the visible
   part outlined, and a sentence with the share. A click goes there. */

import { Coverage, closeEnough } from "./coverage.js";

const LONGER_SIDE = 176;
const REFRESH_MS = 500;
const UNSEEN_ALPHA = 195;

export class Seen extends EventTarget {
  /**
   * @param {{box: HTMLElement, text: HTMLElement, badge: HTMLElement}} parts
   * @param {{viewer: object, trace: object, messages: object}} others
   */
  constructor(parts, { viewer, trace, messages }) {
    super();
    Object.assign(this, { parts, viewer, trace, messages });
    this.canvas = parts.box.querySelector("canvas");
    this.canvas.addEventListener("click", (event) => this.#goTo(event));
    viewer.addEventListener("moved", () => this.#soon());
    trace.addEventListener("sampled", () => this.update());
    setInterval(() => trace.active && this.update(), REFRESH_MS);
  }

  /** @param {{width: number, height: number}} image @param {object} policy */
  start(image, policy) {
    this.image = image;
    this.policy = policy;
    this.coverage = new Coverage(image, policy);
    this.thumbnail = null;
    const ratio = LONGER_SIDE / Math.max(image.width, image.height);
    this.size = [Math.max(8, Math.round(image.width * ratio)), Math.max(8, Math.round(image.height * ratio))];
    [this.canvas.width, this.canvas.height] = this.size.map((side) => side * devicePixelRatio);
    // Through the CSSOM: a strict policy forbids style attributes, not this.
    [this.canvas.style.width, this.canvas.style.height] = this.size.map((side) => `${side}px`);
    this.parts.box.hidden = this.parts.badge.hidden = false;
    this.#loadThumbnail();
    this.update();
  }

  stop() {
    this.image = null;
    this.parts.box.hidden = this.parts.badge.hidden = true;
  }

  /** Share seen at the needed scale, of the picture or of a region; 0 to 1. */
  share(region) {
    return this.image ? this.coverage.share(region) : 0;
  }

  update() {
    if (!this.image) return;
    this.coverage.update(this.trace.samples, this.trace.now);
    this.#paint();
    const share = Math.floor(this.coverage.share() * 100);
    if (share !== this.shown) {
      this.shown = share;
      this.parts.text.textContent = this.messages.seenShare.replace("{share}", share);
      this.dispatchEvent(new CustomEvent("share", { detail: { share: share / 100 } }));
    }
  }

  /** Move on to the next part not seen yet, at the needed scale. False when nothing is left. */
  next() {
    this.update();
    const corner = this.coverage.nextUnseen();
    if (!corner) return false;
    const scale = this.policy.needed_scale * 1.001;
    const { x, y } = this.viewer.viewport.getContainerSize();
    const turned = this.viewer.rotation % 180 !== 0;
    const [width, height] = (turned ? [y, x] : [x, y]).map((side) => side / scale);
    // Never beyond the picture's edge: the screen is for pixels.
    const left = Math.max(0, Math.min(corner.x, this.image.width - width));
    const top = Math.max(0, Math.min(corner.y, this.image.height - height));
    const [right, bottom] = [left + Math.min(width, this.image.width), top + Math.min(height, this.image.height)];
    this.viewer.goTo([left, top, right, bottom], scale);
    return true;
  }

  #soon() {
    if (this.waiting || !this.image) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.image) this.#paint();
    });
  }

  #paint() {
    const context = this.canvas.getContext("2d");
    context.setTransform(this.canvas.width / this.image.width, 0, 0, this.canvas.height / this.image.height, 0, 0);
    context.clearRect(0, 0, this.image.width, this.image.height);
    if (this.thumbnail) context.drawImage(this.thumbnail, 0, 0, this.image.width, this.image.height);
    this.#dim(context);
    this.#outline(context);
    this.#badge();
  }

  /** The veil is painted one pixel per cell and stretched, so that no seams show between cells. */
  #dim(context) {
    const { columns, rows, seen } = this.coverage;
    const veil = new ImageData(columns, rows);
    seen.forEach((value, index) => veil.data.set([10, 12, 14, Math.round(UNSEEN_ALPHA * (1 - value))], index * 4));
    const cells = new OffscreenCanvas(columns, rows);
    cells.getContext("2d").putImageData(veil, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(cells, 0, 0, this.image.width, this.image.height);
    context.imageSmoothingEnabled = true;
  }

  #outline(context) {
    if (!this.viewer.ready) return;
    const view = this.viewer.frame();
    context.lineWidth = (1.5 * this.image.width) / this.size[0];
    context.strokeStyle = "#ffffff";
    const [left, top] = [Math.max(0, view.x), Math.max(0, view.y)];
    const [right, bottom] = [Math.min(this.image.width, view.x + view.w), Math.min(this.image.height, view.y + view.h)];
    context.strokeRect(left, top, right - left, bottom - top);
  }

  #badge() {
    const { scale } = this.viewer;
    const close = closeEnough(scale || 1e-6, this.policy.needed_scale);
    const percent = scale >= 0.1 ? Math.round(scale * 100) : (scale * 100).toFixed(1);
    const words = close ? this.messages.closeEnough : this.messages.tooFar;
    this.parts.badge.textContent = words.replace("{scale}", Math.abs(scale - 1) < 0.005 ? "1:1" : `${percent} %`);
    this.parts.badge.dataset.close = String(close);
  }

  #goTo(event) {
    const [x, y] = [(event.offsetX / this.size[0]) * this.image.width, (event.offsetY / this.size[1]) * this.image.height];
    this.viewer.goTo([x, y, x, y], Math.max(this.viewer.scale, this.policy.needed_scale * 1.001));
  }

  /** The coarsest level of the pyramid, if it is one tile: the browser has it already. */
  #loadThumbnail() {
    const { source } = this.viewer.osd.world.getItemAt(0);
    const level = source.minLevel;
    const tiles = source.getNumTiles(level);
    if (tiles.x !== 1 || tiles.y !== 1) return;
    const picture = new Image();
    const { image } = this;
    picture.addEventListener("load", () => {
      if (this.image !== image) return;
      this.thumbnail = picture;
      this.#paint();
    });
    picture.src = source.getTileUrl(level, 0, 0);
  }
}
