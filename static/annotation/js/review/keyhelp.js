/* The list of keys in a dialogue, each of which can be changed; a key that is taken is refused by name. */

export class KeyHelp {
  /** @param {HTMLDialogElement} dialog @param {import("./keymap.js").Keymap} keymap @param {object} messages */
  constructor(dialog, keymap, messages) {
    Object.assign(this, { dialog, keymap, messages });
    this.list = dialog.querySelector("[data-part=keys-list]");
    this.status = dialog.querySelector("[data-part=keys-status]");
    dialog.querySelector("[data-part=keys-close]").addEventListener("click", () => dialog.close());
    dialog.querySelector("[data-part=keys-reset]").addEventListener("click", () => keymap.reset());
    dialog.addEventListener("keydown", (event) => this.#pressed(event));
    dialog.addEventListener("close", () => this.#wait(null));
    keymap.addEventListener("changed", () => this.#show());
    this.#show();
  }

  open() {
    this.status.textContent = "";
    this.dialog.showModal();
  }

  #show() {
    this.list.replaceChildren(...this.keymap.actions.map((action) => this.#row(action)));
  }

  #row(action) {
    const row = document.createElement("li");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button button-small" });
    const cap = this.keymap.cap(action);
    button.append(Object.assign(document.createElement("kbd"), { textContent: cap }), ` ${this.messages.change}`);
    button.setAttribute("aria-label", `${this.messages.actions[action]}: ${cap}. ${this.messages.change}`);
    button.addEventListener("click", () => this.#wait(action));
    row.append(Object.assign(document.createElement("span"), { textContent: this.messages.actions[action] }), button);
    row.dataset.keysOf = action;
    return row;
  }

  #wait(action) {
    this.waiting = action;
    this.status.textContent = action ? this.messages.pressKey.replace("{action}", this.messages.actions[action]) : "";
  }

  #pressed(event) {
    if (!this.waiting || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") this.#wait(null);
    else this.#try(this.waiting, event);
  }

  #try(action, event) {
    const { ok, clash } = this.keymap.change(action, event);
    if (ok) {
      this.#wait(null);
      this.status.textContent = this.messages.keyChanged;
      this.list.querySelector(`[data-keys-of="${action}"] button`).focus();
    } else if (clash) {
      this.status.textContent = this.messages.keyTaken.replace("{action}", this.messages.actions[clash]);
    }
  }
}
