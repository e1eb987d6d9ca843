/* Wires the review workspace: builds the parts and says which action calls which of them. */

import { Api } from "./api.js";
import { Delivery } from "./delivery.js";
import { Draw } from "./draw.js";
import { Form } from "./form.js";
import { Keymap } from "./keymap.js";
import { KeyHelp } from "./keyhelp.js";
import { Keys } from "./keys.js";
import { Marks } from "./marks.js";
import { MarksList } from "./markslist.js";
import { Notices } from "./notices.js";
import { Outbox } from "./outbox.js";
import { Overlay } from "./overlay.js";
import { Panel } from "./panel.js";
import { Seen } from "./seen.js";
import { Session } from "./session.js";
import { Trace } from "./trace.js";
import { Upkeep } from "./upkeep.js";
import { Viewer } from "./viewer.js";

const root = document.getElementById("review");
const part = (name) => root.querySelector(`[data-part=${name}]`);
const messages = JSON.parse(document.getElementById("review-messages").textContent);

const api = new Api(root.dataset.api);
const outbox = new Outbox(root.dataset.viewer);
const delivery = new Delivery(api, outbox);
const panel = new Panel(root, messages);
const notices = new Notices(panel, messages, root.dataset.login);
const viewer = new Viewer(part("viewer"));
const marks = new Marks();
const overlay = new Overlay(viewer);
const draw = new Draw(viewer, marks, overlay.svg);
const trace = new Trace({ look: () => viewer.look() });
const seen = new Seen({ box: part("seen"), text: part("seen-text"), badge: part("scale") }, { viewer, trace, messages });
const form = new Form(part("form"), { foot: part("foot"), marks, seen, messages });
const upkeep = new Upkeep(api, trace, () => session.draft());
const parts = { api, outbox, delivery, viewer, marks, trace, seen, form, panel, notices, upkeep, messages };
const session = new Session(root, parts);
const keymap = new Keymap();
const keys = new Keys(keymap, root);
const help = new KeyHelp(part("keys"), keymap, messages);
new MarksList(part("marks"), { marks, viewer, overlay, messages });

/** Arrows move what is being drawn; when nothing is, they move the picture. */
function arrow(direction, [right, down]) {
  return ({ shift }) => (marks.tool ? draw.nudge(direction, shift) : viewer.pan(right, down));
}

function leave() {
  if (marks.tool) marks.putAway();
  else session.stay();
}

function nextUnseen() {
  if (!seen.next()) panel.announce(messages.allSeen);
}

function take(tool) {
  draw.toggle(tool);
  document.activeElement?.blur?.();
}

const ACTIONS = {
  "verdict-answerable": () => form.choose("answerable"),
  "verdict-unanswerable": () => form.choose("unanswerable"),
  "verdict-ambiguous": () => form.choose("ambiguous"),
  submit: () => (marks.tool ? draw.keep() : session.submit()),
  skip: () => session.skip(),
  box: () => take("box"),
  point: () => take("point"),
  region: () => take("region"),
  remove: () => marks.remove(),
  comment: () => form.comment(),
  "next-unseen": nextUnseen,
  "zoom-in": () => viewer.zoom(1),
  "zoom-out": () => viewer.zoom(-1),
  fit: () => viewer.fit(),
  full: () => viewer.full(),
  rotate: () => viewer.rotate(),
  "pan-left": arrow("left", [-1, 0]),
  "pan-right": arrow("right", [1, 0]),
  "pan-up": arrow("up", [0, -1]),
  "pan-down": arrow("down", [0, 1]),
  help: () => help.open(),
  again: () => session.next(),
  leave,
};

const WITHOUT_QUESTION = new Set(["help", "again", "leave"]);
const WITHOUT_PICTURE = /^(verdict-|submit|skip|comment)/;

function act(action, detail = {}) {
  const possible = !form.form.hidden && (viewer.ready || WITHOUT_PICTURE.test(action));
  if (possible || WITHOUT_QUESTION.has(action)) ACTIONS[action]?.(detail);
}

keys.addEventListener("action", (event) => act(event.detail.action, event.detail));
root.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-action]");
  if (button) act(button.dataset.action);
});
// A tool chosen by mouse must not take the focus: Enter would press it again instead of submitting.
root.addEventListener("pointerdown", (event) => event.target.closest(".viewer-tools button") && event.preventDefault());
root.addEventListener("mousedown", (event) => event.target.closest(".viewer-tools button") && event.preventDefault());

viewer.addEventListener("moved", () => trace.moved());
form.addEventListener("changed", () => upkeep.touch());
marks.addEventListener("kept", () => upkeep.touch());
marks.addEventListener("removed", () => upkeep.touch());
trace.addEventListener("sampled", () => upkeep.touchSearch());
marks.addEventListener("changed", () => {
  for (const button of root.querySelectorAll(".viewer-tools [aria-pressed]")) {
    button.setAttribute("aria-pressed", String(button.dataset.action === marks.tool));
  }
  panel.hint(marks.tool ? messages.hints[marks.tool] : "");
});

await session.start();
