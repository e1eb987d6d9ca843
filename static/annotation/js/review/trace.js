/* The search record: where the viewport stood, how close, since when.
   A sample is taken when the view settles and every two seconds, while somebody is there. */

const SETTLE_MS = 250;
const BEAT_MS = 2_000;
const IDLE_MS = 60_000;
const RESTATE_MS = 8_000;
const LIMIT = 400;

/** A rectangle beside the picture: from here on nothing of it was seen. */
const NOTHING = { x: -2, y: -2, w: 1, h: 1, s: 1, r: 0 };

function sameView(a, b) {
  return a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h && a.s === b.s && a.r === b.r;
}

/** Keep the first, the last and the longest views; the time of a dropped one goes to the view before it. */
export function thin(samples, limit = LIMIT) {
  if (samples.length <= limit) return samples;
  const inner = samples.slice(1, -1).map((sample, index) => ({ index: index + 1, hold: samples[index + 2].t - sample.t }));
  inner.sort((a, b) => b.hold - a.hold || a.index - b.index);
  const kept = new Set([0, samples.length - 1, ...inner.slice(0, limit - 2).map((entry) => entry.index)]);
  return samples.filter((_, index) => kept.has(index));
}

export class Trace extends EventTarget {
  #samples = [];
  #active = false;
  #settle = 0;

  /** `look` gives the visible rectangle {x, y, w, h, s, r}, or null while tiles load.
      @param {{look: () => ?object}} options */
  constructor({ look }) {
    super();
    this.look = look;
    setInterval(() => this.#beat(), BEAT_MS);
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#pause() : this.touch()));
    for (const kind of ["pointermove", "pointerdown", "wheel", "keydown", "touchstart"]) {
      document.addEventListener(kind, () => this.touch(), { passive: true });
    }
  }

  /** Begin anew, or go on from a draft. @param {{samples?: object[], active_ms?: number}} [before] */
  start(before = {}) {
    this.#samples = Array.isArray(before.samples) ? before.samples : [];
    const last = this.#samples.at(-1);
    // A resumed trace goes on where it stopped: the time away is not part of the search.
    this.origin = performance.now() - (last ? last.t + 1 : 0);
    this.activeMs = before.active_ms || 0;
    this.running = true;
    this.#active = true;
    this.touched = this.counted = performance.now();
    if (last) this.#note(NOTHING);
  }

  stop() {
    this.#pause();
    this.running = false;
    clearTimeout(this.#settle);
  }

  get active() {
    return this.running && this.#active;
  }

  get now() {
    return Math.round(performance.now() - this.origin);
  }

  get samples() {
    return thin(this.#samples);
  }

  /** The samples with the last view ended now, for a draft: the time until it is taken up again is not part of it. */
  get closed() {
    return this.active ? [...this.samples, { t: this.now, ...NOTHING }] : this.samples;
  }

  /** The view moved: take a sample once it rests. */
  moved() {
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => this.#sample(), SETTLE_MS);
  }

  /** Somebody is here. */
  touch() {
    this.touched = performance.now();
    if (!this.running || this.#active || document.hidden) return;
    this.#active = true;
    this.counted = this.touched;
    this.#sample();
  }

  #beat() {
    if (!this.active) return;
    if (performance.now() - this.touched > IDLE_MS) this.#pause();
    else this.#sample();
  }

  #pause() {
    if (!this.active) return;
    this.#count();
    this.#active = false;
    this.#note(NOTHING);
  }

  #count() {
    const now = performance.now();
    if (this.active) this.activeMs += now - this.counted;
    this.counted = now;
  }

  #sample() {
    if (!this.active) return;
    this.#count();
    this.#note(this.look() || NOTHING);
  }

  #note(view) {
    const last = this.#samples.at(-1);
    const t = this.now;
    if (last && sameView(last, view) && t - last.t < RESTATE_MS) return;
    this.#samples.push({ t, ...view });
    if (this.#samples.length > 2 * LIMIT) this.#samples = thin(this.#samples);
    this.dispatchEvent(new Event("sampled"));
  }
}
