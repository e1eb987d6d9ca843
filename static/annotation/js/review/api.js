/* The review API: one function per endpoint, and four named ways to fail.
   Nothing here touches the page. */

const TIMEOUT_MS = 15_000;

/** The server answered and refused: RFC 9457 problem details. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {{code?: string, detail?: string, title?: string, errors?: Object<string, string[]>}} problem
   */
  constructor(status, problem) {
    super(problem.detail || problem.title || String(status));
    this.status = status;
    this.code = problem.code || "";
    this.errors = problem.errors || {};
  }
}

/** No answer: the network or the server is away. Trying again later is right. */
export class Unreachable extends Error {}

/** Nobody is logged in any more. */
export class LoggedOut extends Error {}

const LOGGED_OUT_CODES = new Set(["not-authenticated", "not_authenticated", "authentication-failed", "csrf-failed"]);

/** Django's token: the cookie first, because it stays right after a log-in in another tab. */
function csrfToken() {
  const cookie = document.cookie.split("; ").find((part) => part.startsWith("csrftoken="));
  if (cookie) return cookie.slice("csrftoken=".length);
  return document.querySelector("meta[name=csrf-token]")?.content || "";
}

/** A random UUID, also on plain http where crypto.randomUUID is missing. */
export function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

async function problemOf(response) {
  try {
    return await response.json();
  } catch {
    return {}; // an HTML page of a proxy, say: the status must do
  }
}

async function readAnswer(response) {
  if (response.status === 204) return null;
  if (!response.headers.get("content-type")?.includes("json")) throw new Unreachable("not the API's answer");
  return response.json();
}

async function refusal(response) {
  const problem = await problemOf(response);
  if (response.status === 401 || (response.status === 403 && LOGGED_OUT_CODES.has(problem.code))) return new LoggedOut();
  if (response.status >= 500 || response.status === 429) return new Unreachable(problem.detail || String(response.status));
  return new Refused(response.status, problem);
}

export class Api {
  /** @param {string} root for example "/api/v1/review/" */
  constructor(root) {
    this.root = root;
  }

  next() {
    return this.#send("POST", "next", {});
  }

  /** @param {string} key the Idempotency-Key made when the form opened @param {object} body */
  vote(key, body) {
    return this.#send("POST", "votes", body, { "Idempotency-Key": key });
  }

  skip(assignment) {
    return this.#send("POST", "skip", { assignment });
  }

  renew(assignment) {
    return this.#send("POST", "renew", { assignment });
  }

  /** Sent with keepalive so that it survives the page that is being left. */
  saveDraft(assignment, form) {
    const body = { assignment, form };
    return this.#send("PUT", "draft", body, {}, JSON.stringify(body).length < 60_000);
  }

  async #send(method, path, body, headers = {}, keepalive = false) {
    let response;
    try {
      response = await fetch(this.root + path, {
        method,
        keepalive,
        credentials: "same-origin",
        redirect: "error",
        headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": csrfToken(), ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw new Unreachable(error.message);
    }
    if (!response.ok) throw await refusal(response);
    return readAnswer(response);
  }
}
