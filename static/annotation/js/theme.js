/* Theme: light, dark, or as the system.
   A classic script in the head, because the choice must be on <html> before the first paint. */
(() => {
  "use strict";
  const KEY = "hardbench.theme";
  const root = document.documentElement;

  function stored() {
    try {
      return localStorage.getItem(KEY) || "system";
    } catch {
      return "system"; // storage may be closed to us; the system's choice is a good one
    }
  }

  function apply(choice) {
    if (choice === "light" || choice === "dark") root.dataset.theme = choice;
    else delete root.dataset.theme;
  }

  function remember(choice) {
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // the theme then lasts until the next page
    }
  }

  function mark(buttons, choice) {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.themeChoice === choice));
  }

  function connect(group) {
    const buttons = group.querySelectorAll("[data-theme-choice]");
    mark(buttons, stored());
    group.hidden = false;
    group.addEventListener("click", (event) => {
      const button = event.target.closest("[data-theme-choice]");
      if (!button) return;
      const choice = button.dataset.themeChoice;
      remember(choice);
      apply(choice);
      mark(buttons, choice);
      root.dispatchEvent(new CustomEvent("theme:changed", { detail: { choice } }));
    });
  }

  apply(stored());
  document.addEventListener("DOMContentLoaded", () => {
    for (const group of document.querySelectorAll("[data-theme-switch]")) connect(group);
  });
})();
