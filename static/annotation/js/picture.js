/* A picture to look at, with marks over it: the viewer without a vote. Options come from data-* of [data-picture],
   marks from the JSON beside it. Where a field with data-draw takes a box, one can be drawn.
   Announces picture:shown (with overlay and image), picture:failed and picture:drawn. */

import { Draw } from "./review/draw.js";
import { Marks } from "./review/marks.js";
import { Overlay } from "./review/overlay.js";
import { Viewer } from "./review/viewer.js";

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const STEPS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
const KEYS = { "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", 0: "fit", f: "full", r: "rotate", b: "box" };

function showScale(badge, scale) {
  badge.hidden = false;
  badge.textContent = Math.abs(scale - 1) < 0.005 ? "1:1" : `${Math.round(scale * 100)} %`;
}

/** Marks on the same place lie under one label, so that each voter is named. */
function together(marks) {
  const places = new Map();
  for (const mark of marks) {
    const place = `${mark.kind} ${mark.at}`;
    const first = places.get(place);
    places.set(place, first ? { ...first, label: [first.label, mark.label].filter(Boolean).join(", ") } : mark);
  }
  return [...places.values()];
}

/** Buttons with data-show="[x1, y1, x2, y2]" anywhere on the page go to that place. */
function connectPlaces(viewer) {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-show]");
    if (button && viewer.ready) viewer.goTo(JSON.parse(button.dataset.show));
  });
}

/** The box that is kept goes into the field, and its form learns that the decision rests on a box. */
function connectField(root, marks, show) {
  const field = document.querySelector("[data-draw]");
  marks.addEventListener("changed", () => {
    root.querySelector("[data-part=hint]").hidden = !marks.tool;
    root.querySelector("[data-action=box]")?.setAttribute("aria-pressed", String(Boolean(marks.tool)));
    show();
  });
  marks.addEventListener("kept", () => {
    marks.list = marks.list.slice(-1);
    show();
    if (!field) return;
    field.value = marks.of("box")[0].join(", ");
    if (field.form.elements.evidence) field.form.elements.evidence.value = "box";
    field.dispatchEvent(new CustomEvent("picture:drawn", { bubbles: true }));
  });
}

function actions(viewer, draw) {
  return {
    "zoom-in": () => viewer.zoom(1),
    "zoom-out": () => viewer.zoom(-1),
    fit: () => viewer.fit(),
    full: () => viewer.full(),
    rotate: () => viewer.rotate(),
    box: () => draw.toggle("box"),
  };
}

/** True when the key meant something here. */
function pressed(event, { viewer, marks, draw, act }) {
  const direction = ARROWS[event.key];
  if (marks.tool && event.key === "Enter") draw.keep();
  else if (marks.tool && event.key === "Escape") marks.putAway();
  else if (direction && marks.tool) draw.nudge(direction, event.shiftKey);
  else if (direction) viewer.pan(...STEPS[direction]);
  else if (KEYS[event.key]) act[KEYS[event.key]]();
  else return false;
  return true;
}

function connectInput(root, parts) {
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-action]");
    if (!button || !parts.viewer.ready) return;
    parts.act[button.dataset.action]();
    if (button.dataset.action === "box") parts.viewer.focus();
  });
  root.querySelector("[data-part=viewer]").addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !parts.viewer.ready) return;
    if (pressed(event, parts)) event.preventDefault();
  });
}

async function connect(root) {
  const part = (name) => root.querySelector(`[data-part=${name}]`);
  const image = { info_url: root.dataset.infoUrl, width: Number(root.dataset.width), height: Number(root.dataset.height) };
  const given = together(JSON.parse(document.getElementById("picture-marks")?.textContent || "[]") || []);
  const viewer = new Viewer(part("viewer"));
  const marks = new Marks();
  const overlay = new Overlay(viewer);
  const draw = new Draw(viewer, marks, overlay.svg);
  const pending = () => (marks.pending ? [{ ...marks.pending, state: "pending" }] : []);
  connectField(root, marks, () => viewer.ready && overlay.show([...given, ...marks.list, ...pending()]));
  connectInput(root, { viewer, marks, draw, act: actions(viewer, draw) });
  connectPlaces(viewer);
  viewer.addEventListener("moved", () => showScale(part("scale"), viewer.scale));
  marks.reset(image);
  try {
    await viewer.open(image);
    marks.reset(image);
    part("veil").hidden = true;
    root.dispatchEvent(new CustomEvent("picture:shown", { bubbles: true, detail: { overlay, image } }));
  } catch {
    part("veil").textContent = root.dataset.failed;
    root.dispatchEvent(new CustomEvent("picture:failed", { bubbles: true }));
  }
}

for (const root of document.querySelectorAll("[data-picture]")) connect(root);
