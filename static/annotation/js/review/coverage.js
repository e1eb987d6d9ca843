/* What has been seen, from the trace: the browser's copy of the server's rule (annotation/review/coverage.py), for the
   map and the sentence beside it. The server decides; both must change together.

   The picture is cut into CELLS cells along its longer side. A sample holds until the next one, at most HOLD_LIMIT_MS;
   a cell earns the time multiplied by the part of it that was in view, if the scale was fine enough. */

const CELLS = 32;
const BANDS_PER_OCTAVE = 4;
const HOLD_LIMIT_MS = 10_000;

/** @typedef {{t: number, x: number, y: number, w: number, h: number, s: number, r: number}} Sample */

/** Scales are compared in quarter-octave bands. @param {number} scale CSS pixels per image pixel */
function band(scale) {
  return Math.floor(BANDS_PER_OCTAVE * Math.log2(scale) + 1e-9);
}

/** The part of each cell along one side that [low, high] covers, 0 to 1. */
function parts(low, high, length, cells) {
  const size = length / cells;
  return Array.from({ length: cells }, (_, index) => {
    const overlap = Math.min(high, (index + 1) * size) - Math.max(low, index * size);
    return Math.min(1, Math.max(0, overlap / size));
  });
}

/** Whether a view at this scale is close enough to find the smallest plausible target. */
export function closeEnough(scale, neededScale) {
  return band(scale) >= band(neededScale);
}

export class Coverage {
  /** @param {{width: number, height: number}} image @param {{needed_scale: number, dwell_ms: number}} policy */
  constructor(image, policy) {
    this.image = image;
    this.policy = policy;
    const longer = Math.max(image.width, image.height);
    this.columns = Math.max(1, Math.round((CELLS * image.width) / longer));
    this.rows = Math.max(1, Math.round((CELLS * image.height) / longer));
    this.seen = new Float64Array(this.columns * this.rows);
  }

  /** Derive the grid anew. @param {Sample[]} samples @param {number} now ms on the samples' clock */
  update(samples, now) {
    const dwell = new Float64Array(this.columns * this.rows);
    samples.forEach((sample, index) => {
      const until = index + 1 < samples.length ? samples[index + 1].t : Math.max(now, sample.t);
      const hold = Math.min(until - sample.t, HOLD_LIMIT_MS);
      const counts = sample.r % 90 === 0 && closeEnough(sample.s, this.policy.needed_scale);
      if (hold > 0 && counts) this.#earn(dwell, sample, hold);
    });
    const enough = Math.max(1, this.policy.dwell_ms);
    this.seen = dwell.map((value) => Math.min(1, value / enough));
    return this;
  }

  /** Share of the picture's area, or of a region's. @param {number[]} [region] [x1, y1, x2, y2] */
  share(region) {
    const [left, top, right, bottom] = region || [0, 0, this.image.width, this.image.height];
    const across = parts(left, right, this.image.width, this.columns);
    const down = parts(top, bottom, this.image.height, this.rows);
    let total = 0;
    let seen = 0;
    this.seen.forEach((value, index) => {
      const weight = across[index % this.columns] * down[Math.floor(index / this.columns)];
      total += weight;
      seen += weight * value;
    });
    return total ? seen / total : 0;
  }

  /** The top left corner of the first cell in reading order that is less than half seen, then of the first that is not
      seen to the full; null when all is. */
  nextUnseen() {
    const hardly = this.seen.findIndex((value) => value < 0.5);
    const index = hardly < 0 ? this.seen.findIndex((value) => value < 0.999) : hardly;
    if (index < 0) return null;
    return {
      x: ((index % this.columns) * this.image.width) / this.columns,
      y: (Math.floor(index / this.columns) * this.image.height) / this.rows,
    };
  }

  #earn(dwell, sample, hold) {
    const across = parts(sample.x, sample.x + sample.w, this.image.width, this.columns);
    const down = parts(sample.y, sample.y + sample.h, this.image.height, this.rows);
    for (let row = 0; row < this.rows; row += 1) {
      if (!down[row]) continue;
      for (let column = 0; column < this.columns; column += 1) {
        dwell[row * this.columns + column] += hold * down[row] * across[column];
      }
    }
  }
}
