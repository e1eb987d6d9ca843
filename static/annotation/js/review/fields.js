/* The verdict form's fields as such: radios by name, the offered options, and putting a draft back into them. */

/** Where each part of an entry sits in the form. */
export const RADIOS = {
  verdict: "verdict",
  seenBy: "seen-by",
  knownBy: "known-by",
  premise: "premise",
  reason: "reason",
  code: "code",
};

/** @param {HTMLFormElement} form @param {string} name @param {string} value @returns {?HTMLInputElement} */
export function radio(form, name, value) {
  return form.querySelector(`input[name=${name}][value="${CSS.escape(value)}"]`);
}

/** Answers to choose from, or a line to write in. @param {string[]} options */
export function offer(form, options) {
  const choices = options.map((option) => {
    const input = Object.assign(document.createElement("input"), { type: "radio", name: "option", value: option });
    const label = Object.assign(document.createElement("label"), { className: "choice" });
    label.append(input, Object.assign(document.createElement("span"), { textContent: option }));
    return label;
  });
  form.querySelector("[data-part=options]").replaceChildren(...choices);
  form.querySelector("[data-answer=options]").hidden = !options.length;
  form.querySelector("[data-answer=text]").hidden = options.length > 0;
}

/** @param {HTMLFormElement} form @param {object} draft as `read` gave it @param {boolean} hasOptions */
export function restore(form, draft, hasOptions) {
  for (const [field, name] of [...Object.entries(RADIOS), ["confidence", "confidence"]]) {
    const input = draft[field] ? radio(form, name, String(draft[field])) : null;
    if (input) input.checked = true;
  }
  const option = hasOptions && draft.answer ? radio(form, "option", draft.answer) : null;
  if (option) option.checked = true;
  form.elements.answer.value = hasOptions ? "" : draft.answer || "";
  form.elements.comment.value = draft.comment || "";
  form.querySelector("[data-part=more]").open = Boolean(draft.comment || draft.confidence);
}

/** @param {HTMLFormElement} form @param {boolean} hasOptions @returns {object} everything but the marks */
export function read(form, hasOptions) {
  const data = new FormData(form);
  const value = (name) => String(data.get(name) || "");
  return {
    ...Object.fromEntries(Object.entries(RADIOS).map(([field, name]) => [field, value(name)])),
    answer: value(hasOptions ? "option" : "answer"),
    comment: value("comment"),
    confidence: Number(value("confidence")) || null,
  };
}
