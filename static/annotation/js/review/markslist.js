/* The list of marks beside the picture: shows, selects and removes them, and tells the overlay what to draw. */

export class MarksList {
  /** @param {HTMLElement} section @param {{marks: object, viewer: object, overlay: object, messages: object}} parts */
  constructor(section, { marks, viewer, overlay, messages }) {
    Object.assign(this, { section, marks, viewer, overlay, messages });
    this.list = section.querySelector("[data-part=marks-list]");
    marks.addEventListener("changed", () => this.show());
    viewer.addEventListener("shown", () => this.#draw());
    this.list.addEventListener("click", (event) => this.#clicked(event));
  }

  show() {
    const signature = JSON.stringify([this.marks.list, this.marks.selected]);
    if (signature !== this.shown) {
      this.shown = signature;
      this.section.hidden = !this.marks.list.length;
      this.list.replaceChildren(...this.marks.list.map((mark, index) => this.#row(mark, index)));
    }
    this.#draw();
  }

  #draw() {
    if (!this.viewer.ready) return;
    const kept = this.marks.list.map((mark, index) => {
      return { ...mark, state: index === this.marks.selected ? "selected" : "", label: String(index + 1) };
    });
    this.overlay.show(this.marks.pending ? [...kept, { ...this.marks.pending, state: "pending" }] : kept);
  }

  #row(mark, index) {
    const row = document.createElement("li");
    const [left, top, right, bottom] = mark.at;
    const size = mark.kind === "point" ? `${left}, ${top}` : `${right - left} × ${bottom - top} px`;
    const name = `${index + 1}. ${this.messages.markKinds[mark.kind]}`;
    row.append(Object.assign(document.createElement("span"), { textContent: `${name}, ${size}` }));
    for (const [act, label] of [["show", this.messages.showMark], ["remove", this.messages.removeMark]]) {
      const looks = { type: "button", className: "button button-small", textContent: label };
      const button = Object.assign(document.createElement("button"), looks);
      button.setAttribute("aria-label", `${label}: ${name}`);
      Object.assign(button.dataset, { act, index });
      row.append(button);
    }
    return row;
  }

  #clicked(event) {
    const button = event.target.closest("button[data-act]");
    if (!button) return;
    const index = Number(button.dataset.index);
    if (button.dataset.act === "remove") {
      this.marks.remove(index);
      return;
    }
    const { kind, at } = this.marks.list[index];
    this.marks.select(index);
    this.viewer.goTo(kind === "point" ? [...at, ...at] : at, kind === "point" ? Math.max(1, this.viewer.scale) : 0);
  }
}
