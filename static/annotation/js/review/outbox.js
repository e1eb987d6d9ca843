/* Votes that are not stored on the server yet, kept in the browser's own database until the server names the vote.
   Where the browser refuses (some private windows), they are kept in memory and `durable` says so. */

const DATABASE = "hardbench-review";
const STORE = "votes";

/**
 * @typedef {object} Kept
 * @property {string} key Idempotency-Key @property {string} viewer whose vote it is @property {string} assignment
 * @property {object} body @property {"waiting"|"refused"} state @property {string} reason @property {number} at
 */

function promised(request) {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });
}

function openDatabase() {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE, { keyPath: "key" }));
  return promised(request);
}

export class Outbox {
  /** @param {string} viewer key of the person who is logged in: nobody sends another person's votes */
  constructor(viewer) {
    this.viewer = viewer;
    this.memory = new Map();
    this.durable = true;
    this.ready = openDatabase().catch(() => {
      this.durable = false;
      return null;
    });
  }

  /** Keep a vote; resolves when it is on disk. */
  put(key, assignment, body) {
    return this.#write({ key, viewer: this.viewer, assignment, body, state: "waiting", reason: "", at: Date.now() });
  }

  /** The server refused for good: keep it, so that the person can see what happened to it. @param {Kept} kept */
  refuse(kept, reason) {
    return this.#write({ ...kept, state: "refused", reason });
  }

  async drop(key) {
    this.memory.delete(key);
    const store = await this.#store("readwrite");
    if (store) await promised(store.delete(key));
  }

  waiting() {
    return this.#mine("waiting");
  }

  refused() {
    return this.#mine("refused");
  }

  /** @returns {Promise<Kept[]>} oldest first */
  async #mine(state) {
    const store = await this.#store("readonly");
    const all = store ? await promised(store.getAll()) : [];
    const mine = [...all, ...this.memory.values()].filter((kept) => kept.viewer === this.viewer && kept.state === state);
    return mine.sort((a, b) => a.at - b.at);
  }

  async #write(kept) {
    const store = await this.#store("readwrite");
    if (!store) {
      this.memory.set(kept.key, kept);
      return;
    }
    try {
      await promised(store.put(kept));
    } catch {
      this.durable = false; // the disk is full, say
      this.memory.set(kept.key, kept);
    }
  }

  async #store(mode) {
    const database = await this.ready;
    return database ? database.transaction(STORE, mode).objectStore(STORE) : null;
  }
}
