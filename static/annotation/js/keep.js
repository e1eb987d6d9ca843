/* Forms with data-keep="name" keep what was entered in this tab until the server took it: a reload, a log-in or a lost
   connection must not cost a written reason. What the server sends back with a refusal stands over what was kept. */

const STORE = "hardbench.kept.";
const SENT = " sent";
const UNKEPT = new Set(["hidden", "password", "file", "submit"]);

const storage = {
  read(name) {
    try {
      return JSON.parse(sessionStorage.getItem(STORE + name));
    } catch {
      return null; // closed storage, or something else under this name
    }
  },
  write(name, entries) {
    try {
      sessionStorage.setItem(STORE + name, JSON.stringify(entries));
    } catch {
      // closed or full storage: the page works as one without it
    }
  },
  forget(name) {
    try {
      sessionStorage.removeItem(STORE + name);
    } catch {
      // nothing was kept
    }
  },
};

const fieldsOf = (form) => [...form.elements].filter((field) => field.name && !UNKEPT.has(field.type));

/** @returns {Array<[string, string]>} name and value of everything filled in, as the form would send it */
function entered(form) {
  const chosen = (field) => !["checkbox", "radio"].includes(field.type) || field.checked;
  return fieldsOf(form).filter(chosen).map((field) => [field.name, field.value]);
}

function restore(form, entries) {
  const has = (field) => entries.some(([name, value]) => name === field.name && value === field.value);
  for (const field of fieldsOf(form)) {
    if (["checkbox", "radio"].includes(field.type)) field.checked = has(field);
    else field.value = entries.find(([name]) => name === field.name)?.[1] ?? field.value;
  }
}

function connect(form) {
  const name = form.dataset.keep;
  const kept = storage.read(name);
  if (Array.isArray(kept) && !("refused" in form.dataset)) {
    restore(form, kept);
    form.closest("details")?.setAttribute("open", "");
  }
  const note = () => storage.write(name, entered(form));
  for (const event of ["input", "change", "picture:drawn"]) form.addEventListener(event, note);
  form.addEventListener("submit", () => storage.write(SENT, name));
}

// A message of success says that the form which was sent last was taken. Everything else leaves it where it is.
if (document.querySelector("[data-taken]")) storage.forget(storage.read(SENT));
storage.forget(SENT);
for (const form of document.querySelectorAll("form[data-keep]")) connect(form);
