/* The address of a picture holds a grant that runs out. Tiles are refused then; the same question, asked for again,
   brings a fresh address, and the view stays where it was. */

const RETRY_MS = 20_000;

/**
 * @param {object} parts
 * @param {import("./api.js").Api} parts.api @param {import("./viewer.js").Viewer} parts.viewer
 * @param {() => ?object} parts.current the question on the screen, as the API gave it
 * @param {(image: object) => Promise<boolean>} parts.open shows the same picture from another address
 */
export function keepGrant({ api, viewer, current, open }) {
  let asked = -RETRY_MS;

  async function renew() {
    const token = current()?.assignment.token;
    if (!token || performance.now() - asked < RETRY_MS) return;
    asked = performance.now();
    const answer = await api.next().catch(() => null);
    const same = answer?.assignment?.token === token && current()?.assignment.token === token;
    if (same && answer.image.info_url !== current().image.info_url) await open(answer.image);
  }

  viewer.addEventListener("tile-failed", renew);
}
