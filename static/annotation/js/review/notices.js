/* What the review says when something stands between a person and the next question: each with what can be done. */

import { LoggedOut, Refused, Unreachable } from "./api.js";

export class Notices {
  /** @param {import("./panel.js").Panel} panel @param {object} messages @param {string} login where one logs in */
  constructor(panel, messages, login) {
    Object.assign(this, { panel, messages, login });
  }

  /** A question is open again, so nothing of this is true any more. */
  clear() {
    this.panel.clear("network", "login", "lease", "skip", "skip-failed");
  }

  loggedIn() {
    this.panel.clear("outbox", "login");
  }

  loggedOut() {
    const actions = [{ label: this.messages.logIn, href: this.login }];
    this.panel.notice("login", { kind: "bad", text: this.messages.loggedOut, actions });
  }

  /** The lease is over: another vote is welcome, unless the person has voted already. @param {() => void} next */
  leaseLost(error, next) {
    const done = error.code === "already-voted";
    const actions = done ? [{ label: this.messages.nextQuestion, run: next }] : [];
    this.panel.notice("lease", { text: done ? this.messages.votedElsewhere : this.messages.leaseLost, actions });
  }

  /** A vote waits for the network. @param {boolean} durable whether it outlives this page */
  kept(durable) {
    this.panel.notice("outbox", { text: durable ? this.messages.kept : this.messages.keptInTab });
  }

  /** There is no next question because of `error`; what is no failure of the API is thrown on. */
  noNext(error, retry) {
    this.#failed("network", error, this.messages.offline, retry);
  }

  /** The question could not be skipped; it stays, with what was entered. */
  notSkipped(error, retry) {
    this.#failed("skip-failed", error, this.messages.notSkipped, retry);
  }

  noPicture(retry) {
    this.panel.veil(this.messages.noPicture);
    this.#retriable("picture", "bad", this.messages.noPicture, retry);
  }

  picture() {
    this.panel.veil("");
    this.panel.clear("picture");
  }

  /** A vote the server will not take stays until the person has read why. @param {() => Promise<void>} drop */
  refusedVote(key, reason, drop) {
    const id = `refused-${key}`;
    const text = this.messages.refused.replace("{reason}", reason);
    const run = () => drop().then(() => this.panel.clear(id));
    this.panel.notice(id, { kind: "bad", text, actions: [{ label: this.messages.understood, run }] });
  }

  /** Skipping would drop what was entered: a slip must not, so that the focus goes to staying.
      @param {() => void} skip @param {() => void} stay */
  sureToSkip(skip, stay) {
    const actions = [
      { label: this.messages.skipAnyway, run: skip },
      { label: this.messages.stay, run: stay, focus: true },
    ];
    this.panel.notice("skip", { text: this.messages.skipDrops, actions });
  }

  skipSettled() {
    this.panel.clear("skip");
  }

  #failed(id, error, unreachable, retry) {
    if (error instanceof LoggedOut) this.loggedOut();
    else if (error instanceof Refused) this.#retriable(id, "bad", error.message, retry);
    else if (error instanceof Unreachable) this.#retriable(id, "warn", unreachable, retry);
    else throw error;
  }

  #retriable(id, kind, text, run) {
    this.panel.notice(id, { kind, text, actions: [{ label: this.messages.tryAgain, run }] });
  }
}
