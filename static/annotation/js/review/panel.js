/* The panel around the form: notices, the screen for when there is no question, progress, the live region. */

export class Panel {
  /** @param {HTMLElement} root @param {object} messages */
  constructor(root, messages) {
    this.messages = messages;
    this.part = (name) => root.querySelector(`[data-part=${name}]`);
    this.live = this.part("live");
  }

  /** Said to screen readers. @param {string} sentence */
  announce(sentence) {
    this.live.textContent = "";
    // A new text node each time, so that the same sentence is said again.
    requestAnimationFrame(() => {
      this.live.textContent = sentence;
    });
  }

  /**
   * @param {string} id one notice per id
   * @param {object} notice
   * @param {"good"|"warn"|"bad"} [notice.kind] @param {string} notice.text
   * @param {Array<{label: string, href?: string, run?: () => void, focus?: boolean}>} [notice.actions]
   */
  notice(id, { kind = "warn", text, actions = [] }) {
    this.clear(id);
    const box = Object.assign(document.createElement("div"), { className: `notice notice-${kind} stack-tight` });
    box.dataset.notice = id;
    box.append(Object.assign(document.createElement("p"), { textContent: text }));
    if (actions.length) box.append(this.#buttons(actions));
    this.part("notices").append(box);
    box.querySelector("[data-focus]")?.focus();
    this.announce(text);
  }

  clear(...ids) {
    for (const id of ids) this.part("notices").querySelector(`[data-notice="${id}"]`)?.remove();
  }

  /** In place of a question: what is the case, and why. */
  idle(title, detail) {
    this.part("idle").hidden = false;
    this.part("idle-title").textContent = title;
    this.part("idle-detail").textContent = detail;
    this.part("idle-title").focus({ preventScroll: true });
    this.announce(`${title}. ${detail}`);
  }

  busy(text) {
    this.part("idle").hidden = true;
    this.veil(text);
  }

  /** Over the picture, or nothing. @param {string} text */
  veil(text) {
    this.part("veil").textContent = text;
    this.part("veil").hidden = !text;
  }

  /** Numbers as far as the server gave them; `voted` is of the campaign of the question shown.
      @param {{voted?: number, today?: number, open?: number}} [progress] */
  progress(progress) {
    this.known = { ...this.known, ...progress };
    const { voted, today, open } = this.known;
    const said = [];
    if (voted >= 0) said.push(this.messages.voted.replace("{voted}", voted));
    if (today >= 0) said.push(this.messages.today.replace("{today}", today));
    if (open >= 0) said.push(this.messages.open.replace("{open}", open));
    this.part("progress").textContent = said.join(", ");
  }

  guideline(guideline) {
    const link = this.part("guideline");
    link.hidden = !guideline?.url;
    if (link.hidden) return;
    link.href = guideline.url;
    link.textContent = this.messages.guideline.replace("{version}", guideline.version);
  }

  hint(text) {
    this.part("hint").hidden = !text;
    this.part("hint").textContent = text;
    if (text) this.announce(text);
  }

  #buttons(actions) {
    const row = Object.assign(document.createElement("p"), { className: "row" });
    for (const { label, href, run, focus } of actions) {
      const control = document.createElement(href ? "a" : "button");
      control.className = "button button-small";
      control.textContent = label;
      if (href) control.href = href;
      else control.type = "button";
      if (focus) control.dataset.focus = "";
      if (run) control.addEventListener("click", run);
      row.append(control);
    }
    return row;
  }
}
