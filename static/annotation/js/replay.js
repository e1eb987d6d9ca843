/* How a voter searched the picture: what they did not see is dimmed, and their views are shown again in their order.
   Each [data-search] is one voter's pair of buttons; its address gives {seen, views, duration}, see annotation/review/replay.py.
   Views jump as they are, so there is no motion to reduce; long pauses are cut short. */

const DIM = 0.75;
const LONGEST_HOLD_MS = 1500;
const WHOLE_MS = 15_000;
const SHORTEST_HOLD_MS = 30;

/** The unseen part of every cell, merged along its row where neighbours are alike. */
export function veilOf(seen, { width, height }) {
  const down = height / seen.length;
  return seen.flatMap((row, r) => {
    const across = width / row.length;
    const runs = [];
    row.forEach((percent, c) => {
      const last = runs.at(-1);
      if (last?.percent === percent) last.until = c + 1;
      else runs.push({ percent, from: c, until: c + 1 });
    });
    return runs
      .filter(({ percent }) => percent < 100)
      .map(({ percent, from, until }) => ({
        at: [from * across, r * down, until * across, (r + 1) * down],
        name: "unseen",
        strength: DIM * (1 - percent / 100),
      }));
  });
}

/** How long each view is shown, in ms: pauses cut, the whole within WHOLE_MS unless there are very many views. */
export function holdsOf(views, duration) {
  const ends = [...views.slice(1).map(([t]) => t), duration];
  const holds = views.map(([t], index) => Math.min(ends[index] - t, LONGEST_HOLD_MS));
  const faster = Math.max(1, holds.reduce((sum, hold) => sum + hold, 0) / WHOLE_MS);
  return holds.map((hold) => Math.max(SHORTEST_HOLD_MS, hold / faster));
}

class Search {
  constructor(root, { overlay, image }) {
    Object.assign(this, { root, overlay, image });
    this.saying = root.querySelector("[data-part=saying]");
    root.hidden = false;
    root.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-action]");
      if (button) this.press(button);
    });
  }

  async press(button) {
    const on = button.getAttribute("aria-pressed") !== "true";
    for (const search of this.others) search.stop();
    if (!on) return;
    try {
      this.found ??= await fetched(this.root.dataset.search);
    } catch {
      this.saying.textContent = this.root.dataset.failed;
      return;
    }
    button.setAttribute("aria-pressed", "true");
    this.veil = veilOf(this.found.seen, this.image);
    this.overlay.lay(this.veil);
    if (button.dataset.action === "replay") this.show(0, holdsOf(this.found.views, this.found.duration), button);
  }

  show(index, holds, button) {
    if (index === holds.length) {
      button.setAttribute("aria-pressed", "false");
      this.overlay.lay([]);
      return;
    }
    const [t, ...rest] = this.found.views[index];
    this.overlay.lay([...this.veil, { at: rest.slice(0, 4), name: "view" }]);
    this.say(t, rest[4]);
    this.timer = setTimeout(() => this.show(index + 1, holds, button), holds[index]);
  }

  say(t, scale) {
    const values = { at: Math.round(t / 1000), all: Math.round(this.found.duration / 1000), scale: Math.round(scale * 100) };
    this.saying.textContent = this.root.dataset.saying.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }

  stop() {
    clearTimeout(this.timer);
    this.saying.textContent = "";
    for (const button of this.root.querySelectorAll("button")) button.setAttribute("aria-pressed", "false");
    this.overlay.lay([]);
  }
}

async function fetched(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

document.addEventListener("picture:shown", ({ detail }) => {
  const searches = [...document.querySelectorAll("[data-search]")].map((root) => new Search(root, detail));
  for (const search of searches) search.others = searches;
});
