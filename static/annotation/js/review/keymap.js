/* Which key does what: the standard keys, a person's own changes to them, and no two actions on one key. */

const STORE = "hardbench.keys";

const STANDARD = {
  "verdict-answerable": ["1"],
  "verdict-unanswerable": ["2"],
  "verdict-ambiguous": ["3"],
  submit: ["Enter"],
  skip: ["s"],
  box: ["b"],
  point: ["p"],
  region: ["g"],
  remove: ["Delete", "Backspace"],
  comment: ["c"],
  "next-unseen": ["n"],
  "zoom-in": ["+", "="],
  "zoom-out": ["-"],
  fit: ["0"],
  full: ["f"],
  rotate: ["r"],
  "pan-left": ["ArrowLeft"],
  "pan-right": ["ArrowRight"],
  "pan-up": ["ArrowUp"],
  "pan-down": ["ArrowDown"],
  help: ["?"],
};

const MODIFIERS = ["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock"];
const RESERVED = new Set([...MODIFIERS, "Escape", "Tab", "Dead", "Process", "Unidentified"]);
const SHORT = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "␣", Delete: "Del", Backspace: "⌫" };

/** A letter is the same key with and without Shift. */
function named(key) {
  return key.length === 1 ? key.toLowerCase() : key;
}

/** The names a key press may be bound under: what it types, then where it sits.
    The second serves layouts on which the digits need Shift, or letters that are not Latin. */
function names(event) {
  const place = /^(?:Key|Digit)(.)$/.exec(event.code || "");
  return event.shiftKey || !place ? [named(event.key)] : [named(event.key), place[1].toLowerCase()];
}

function storedChanges() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) || {};
  } catch {
    return {}; // closed storage or a broken entry: the standard keys are a good start
  }
}

export class Keymap extends EventTarget {
  constructor() {
    super();
    const known = ([action, key]) => action in STANDARD && typeof key === "string";
    this.changes = Object.fromEntries(Object.entries(storedChanges()).filter(known));
  }

  get actions() {
    return Object.keys(STANDARD);
  }

  /** @returns {string[]} */
  keys(action) {
    return action in this.changes ? [this.changes[action]] : STANDARD[action];
  }

  /** The first key of an action, short enough for a key cap. */
  cap(action) {
    const [key] = this.keys(action);
    return SHORT[key] || (key.length === 1 ? key.toUpperCase() : key);
  }

  /** @param {KeyboardEvent} event @returns {?string} the action, if any */
  actionOf(event) {
    const typed = event.getModifierState("AltGraph");
    if ((event.ctrlKey || event.altKey || event.metaKey) && !typed) return null;
    for (const name of names(event)) {
      const action = this.actions.find((candidate) => this.keys(candidate).includes(name));
      if (action) return action;
    }
    return null;
  }

  /** Give an action another key. `clash` names the action that has it already.
      @returns {{ok: boolean, clash?: string}} */
  change(action, event) {
    if (RESERVED.has(event.key) || event.ctrlKey || event.altKey || event.metaKey) return { ok: false };
    const key = named(event.key);
    const clash = this.actions.find((other) => other !== action && this.keys(other).includes(key));
    if (clash) return { ok: false, clash };
    this.changes[action] = key;
    this.#keep();
    return { ok: true };
  }

  reset() {
    this.changes = {};
    this.#keep();
  }

  #keep() {
    try {
      localStorage.setItem(STORE, JSON.stringify(this.changes));
    } catch {
      // they last until the page is left
    }
    this.dispatchEvent(new Event("changed"));
  }
}
