/* The picture: OpenSeadragon behind one small door.
   All lengths it gives and takes are pixels of the upright original. */

import { LEAST_LARGEST_SCALE, holdBackStyle, settings, tileSource } from "./openseadragon.js";

const KEY_PAN_SHARE = 0.25;
const ZOOM_STEP = 1.5;

export class Viewer extends EventTarget {
  /** @param {HTMLElement} element */
  constructor(element) {
    super();
    holdBackStyle();
    this.osd = new OpenSeadragon.Viewer(settings(element));
    // Keys belong to keys.js alone: the same key must do the same thing wherever the focus is.
    this.osd.addHandler("canvas-key", (event) => Object.assign(event, { preventDefaultAction: true }));
    this.osd.addHandler("update-viewport", () => this.#moved());
    this.osd.addHandler("resize", () => this.#moved());
    this.osd.addHandler("tile-load-failed", () => this.#tell("tile-failed"));
  }

  get viewport() {
    return this.osd.viewport;
  }

  /**
   * Show another picture, or the same from a fresh address. Rejects when its description cannot be had.
   * @param {{info_url: string, width: number, height: number}} image
   */
  async open(image, { keepView = false } = {}) {
    const view = keepView && this.ready ? [this.viewport.getBounds(), this.viewport.getRotation()] : null;
    this.image = image;
    const source = await tileSource(image.info_url);
    if (this.image !== image) return;
    await this.#load(source);
    if (view) {
      this.viewport.setRotation(view[1], true);
      this.viewport.fitBounds(view[0], true);
    } else {
      this.viewport.setRotation(0, true);
      this.viewport.goHome(true);
    }
    this.#tell("shown");
  }

  close() {
    this.image = null;
    this.osd.close();
  }

  /** Let the person come as near as the search asks. @param {number} scale */
  allowScale(scale) {
    this.viewport.maxZoomPixelRatio = Math.max(LEAST_LARGEST_SCALE, scale * 2);
  }

  get ready() {
    return Boolean(this.image && this.osd.world.getItemCount());
  }

  /** CSS pixels per image pixel. */
  get scale() {
    return this.ready ? this.osd.world.getItemAt(0).viewportToImageZoom(this.viewport.getZoom(true)) : 0;
  }

  get rotation() {
    return ((Math.round(this.viewport.getRotation(true) * 100) / 100) % 360 + 360) % 360;
  }

  /** What is visible and sharp, or null while better tiles are on their way. */
  look() {
    return this.ready && this.osd.world.getItemAt(0).getFullyLoaded() ? this.frame() : null;
  }

  /** The visible rectangle (the bounding one, when turned) with scale and rotation. */
  frame() {
    const { x: width, y: height } = this.viewport.getContainerSize();
    const corners = [[0, 0], [width, 0], [0, height], [width, height]].map((corner) => this.toImage(...corner));
    const xs = corners.map((corner) => corner.x);
    const ys = corners.map((corner) => corner.y);
    const [x, y] = [Math.min(...xs), Math.min(...ys)].map((value) => Number(value.toFixed(1)));
    return {
      x,
      y,
      w: Number((Math.max(...xs) - x).toFixed(1)),
      h: Number((Math.max(...ys) - y).toFixed(1)),
      s: Number(this.scale.toPrecision(6)),
      r: this.rotation,
    };
  }

  /** From a place in the viewer (CSS pixels) to image pixels. */
  toImage(x, y) {
    return this.osd.world.getItemAt(0).viewerElementToImageCoordinates(new OpenSeadragon.Point(x, y));
  }

  pan(right, down) {
    const size = this.viewport.getBoundsNoRotate();
    const step = new OpenSeadragon.Point(right * size.width, down * size.height).times(KEY_PAN_SHARE);
    this.viewport.panBy(step.rotate(-this.viewport.getRotation())).applyConstraints();
  }

  zoom(steps) {
    this.viewport.zoomBy(ZOOM_STEP ** steps).applyConstraints();
  }

  focus() {
    this.osd.canvas.focus({ preventScroll: true });
  }

  fit() {
    this.viewport.goHome();
  }

  full() {
    this.viewport.zoomTo(this.osd.world.getItemAt(0).imageToViewportZoom(1)).applyConstraints();
  }

  rotate() {
    this.viewport.setRotation(Math.round(this.viewport.getRotation() / 90) * 90 + 90);
  }

  /** Put an image rectangle's centre in the middle, at a scale or so that it just fits. */
  goTo([left, top, right, bottom], scale = 0) {
    const item = this.osd.world.getItemAt(0);
    const centre = item.imageToViewportCoordinates((left + right) / 2, (top + bottom) / 2);
    const { x: width, y: height } = this.viewport.getContainerSize();
    const fitting = Math.min(width / Math.max(1, right - left), height / Math.max(1, bottom - top)) * 0.6;
    this.viewport.zoomTo(item.imageToViewportZoom(scale || Math.min(fitting, this.viewport.maxZoomPixelRatio)));
    this.viewport.panTo(centre).applyConstraints();
  }

  #load(source) {
    return new Promise((resolve, reject) => {
      const opened = () => settle(resolve);
      const failed = (event) => settle(() => reject(new Error(event.message)));
      const settle = (outcome) => {
        this.osd.removeHandler("open", opened);
        this.osd.removeHandler("open-failed", failed);
        outcome();
      };
      this.osd.addHandler("open", opened);
      this.osd.addHandler("open-failed", failed);
      this.osd.open(source);
    });
  }

  #moved() {
    if (!this.ready) return;
    // From one device pixel per image pixel upwards, pixels are shown as they are.
    const native = this.scale * devicePixelRatio >= 0.999;
    if (native !== this.native) {
      this.native = native;
      this.osd.drawer.setImageSmoothingEnabled(!native);
    }
    this.#tell("moved");
  }

  #tell(name) {
    this.dispatchEvent(new Event(name));
  }
}
