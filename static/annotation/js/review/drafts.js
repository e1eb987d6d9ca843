/* The draft that is on its way to the server, kept in this tab until the server has it: a log-in or a new page in between
   must not cost what was entered. */

const STORE = "hardbench.draft";

/** @param {string} token of the assignment @param {object} form @returns {string} what `forget` takes */
export function keep(token, form) {
  const kept = JSON.stringify({ token, form });
  try {
    sessionStorage.setItem(STORE, kept);
  } catch {
    // closed or full storage: the server is asked all the same
  }
  return kept;
}

/** The server has it; a newer one stays. @param {string} kept */
export function forget(kept) {
  try {
    if (sessionStorage.getItem(STORE) === kept) sessionStorage.removeItem(STORE);
  } catch {
    // nothing was kept
  }
}

/** The draft that did not reach the server, once. @param {string} token @returns {?object} */
export function take(token) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORE));
    sessionStorage.removeItem(STORE);
    return kept?.token === token ? kept.form : null;
  } catch {
    return null;
  }
}
