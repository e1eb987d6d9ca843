/* From key presses to actions. Silent while somebody types, composes (Chinese, Japanese, Korean input), or has a dialogue
   open; leaves to radios, buttons and links the keys that are theirs. */

const REPEATABLE = /^(pan|zoom)-/;
const RADIO_KEYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", " "]);
const PRESS_KEYS = new Set(["Enter", " "]);

function kindOf(target) {
  if (target.closest?.("textarea, [contenteditable=true]")) return "text";
  const input = target.closest?.("input, select");
  if (input) return input.type === "radio" || input.type === "checkbox" ? "radio" : input.tagName === "SELECT" ? "text" : "line";
  return target.closest?.("button, a[href], summary") ? "press" : "page";
}

export class Keys extends EventTarget {
  /** @param {import("./keymap.js").Keymap} keymap @param {HTMLElement} root where key caps are shown */
  constructor(keymap, root) {
    super();
    Object.assign(this, { keymap, root });
    document.addEventListener("keydown", (event) => this.#pressed(event));
    keymap.addEventListener("changed", () => this.#showCaps());
    this.#showCaps();
  }

  #pressed(event) {
    if (event.isComposing || event.keyCode === 229 || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const action = this.#meant(event);
    if (!action || (event.repeat && !REPEATABLE.test(action))) return;
    event.preventDefault();
    this.dispatchEvent(new CustomEvent("action", { detail: { action, shift: event.shiftKey } }));
  }

  #meant(event) {
    const kind = kindOf(event.target);
    if (event.key === "Escape") return "leave";
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return "submit";
    if (kind === "text") return null;
    if (kind === "line") return event.key === "Enter" ? "submit" : null;
    if (kind === "radio" && RADIO_KEYS.has(event.key)) return null;
    if (kind === "press" && PRESS_KEYS.has(event.key)) return null;
    return this.keymap.actionOf(event);
  }

  #showCaps() {
    for (const cap of this.root.querySelectorAll("[data-key-of]")) cap.textContent = this.keymap.cap(cap.dataset.keyOf);
    for (const button of this.root.querySelectorAll("button[data-action]")) {
      const { action } = button.dataset;
      if (this.keymap.actions.includes(action)) button.setAttribute("aria-keyshortcuts", this.keymap.keys(action).join(" "));
    }
  }
}
