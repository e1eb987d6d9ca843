/* While a question is open: the lease is renewed as long as somebody works on it, and the form is saved as a draft. */

import { LoggedOut, Refused } from "./api.js";
import { forget, keep } from "./drafts.js";

const DRAFT_MS = 5_000;
const SEARCH_MS = 30_000;
const LONGEST_RENEWAL_S = 300;
/** What the server says of an assignment that is not the person's to work on any more. */
const OVER = new Set(["lease-over", "already-voted", "assignment-unknown"]);

export class Upkeep extends EventTarget {
  #timers = [];
  #changed = false;
  #savedAt = 0;

  /**
   * @param {import("./api.js").Api} api @param {import("./trace.js").Trace} trace
   * @param {() => object} content of a draft
   */
  constructor(api, trace, content) {
    super();
    Object.assign(this, { api, trace, content });
    document.addEventListener("visibilitychange", () => document.hidden && this.save());
    globalThis.addEventListener("pagehide", () => this.save());
  }

  /** @param {{token: string, renew_seconds: number}} assignment */
  start(assignment) {
    this.stop();
    this.token = assignment.token;
    const seconds = Math.min(assignment.renew_seconds || 60, LONGEST_RENEWAL_S);
    this.#timers = [setInterval(() => this.#renew(), seconds * 1_000), setInterval(() => this.save(), DRAFT_MS)];
  }

  stop() {
    this.#timers.forEach(clearInterval);
    this.#timers = [];
    this.#changed = false;
    this.token = null;
  }

  touch() {
    this.#changed = true;
  }

  /** The search went on: worth a draft now and then, not every five seconds. */
  touchSearch() {
    if (performance.now() - this.#savedAt > SEARCH_MS) this.#changed = true;
  }

  /** Save the draft if something changed. Failing is no drama: the next beat tries again. */
  async save() {
    if (!this.token || !this.#changed) return;
    const { token } = this;
    this.#changed = false;
    this.#savedAt = performance.now();
    const form = this.content();
    const kept = keep(token, form);
    try {
      await this.api.saveDraft(token, form);
      forget(kept);
      this.#tell("alive");
    } catch (error) {
      if (this.token === token) this.#changed = !(error instanceof Refused);
      this.#failed(token, error);
    }
  }

  async #renew() {
    if (!this.token || !this.trace.active) return;
    const { token } = this;
    try {
      await this.api.renew(token);
      this.#tell("alive");
    } catch (error) {
      this.#failed(token, error);
    }
  }

  #failed(token, error) {
    if (this.token !== token) return;
    if (error instanceof LoggedOut) this.#tell("logged-out");
    if (error instanceof Refused && OVER.has(error.code)) this.#tell("lost", { error });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
