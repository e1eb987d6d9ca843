/* Brings kept votes to the server, one after the other, again and again until each has an answer:
   after a failure, when the network is back, when the window is looked at again (after a log-in in another tab). */

import { LoggedOut, Refused, Unreachable } from "./api.js";

const WAITS_MS = [2_000, 5_000, 10_000, 30_000];

export class Delivery extends EventTarget {
  #failures = 0;
  #timer = 0;
  #running = null;
  #asked = false;

  /** @param {import("./api.js").Api} api @param {import("./outbox.js").Outbox} outbox */
  constructor(api, outbox) {
    super();
    Object.assign(this, { api, outbox, stuck: false });
    globalThis.addEventListener("online", () => this.send());
    document.addEventListener("visibilitychange", () => !document.hidden && this.stuck && this.send());
  }

  /** Send all that waits. Resolves to true when nothing waits any more. Several calls at once are one. */
  send() {
    this.#asked = true;
    this.#running ||= this.#sendAll();
    return this.#running;
  }

  async #sendAll() {
    clearTimeout(this.#timer);
    try {
      while (this.#asked) {
        this.#asked = false;
        for (let [kept] = await this.outbox.waiting(); kept; [kept] = await this.outbox.waiting()) {
          if (!(await this.#sendOne(kept))) return false;
        }
      }
    } finally {
      this.#running = null; // in the same step as the last look at #asked, so that no call falls between
    }
    this.#failures = 0;
    this.stuck = false;
    return true;
  }

  /** @param {import("./outbox.js").Kept} kept */
  async #sendOne(kept) {
    try {
      const answer = await this.api.vote(kept.key, kept.body);
      if (!answer?.vote) throw new Unreachable("an answer without a vote");
      await this.outbox.drop(kept.key);
      this.#tell("delivered", { kept, answer });
      return true;
    } catch (error) {
      return this.#failed(kept, error);
    }
  }

  async #failed(kept, error) {
    if (error instanceof Refused) {
      await this.outbox.refuse(kept, error.message);
      this.#tell("refused", { kept, error });
      return true;
    }
    if (!(error instanceof Unreachable || error instanceof LoggedOut)) throw error;
    this.stuck = true;
    this.#tell("stuck", { kept, loggedOut: error instanceof LoggedOut, durable: this.outbox.durable });
    const wait = WAITS_MS[Math.min(this.#failures, WAITS_MS.length - 1)];
    this.#failures += 1;
    this.#timer = setTimeout(() => this.send(), wait);
    return false;
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
