/* What a vote needs before it can be sent, and its shape on the wire. Values in, values out; the server has the last word. */

/**
 * @typedef {object} Entry what the form holds
 * @property {string} verdict @property {string} answer @property {string} seenBy @property {string} knownBy
 * @property {string} premise @property {string} reason @property {string} code @property {string} comment
 * @property {number[][]} boxes @property {number[][]} points @property {number[][]} regions
 * @property {?number} confidence
 */

function missingForAnswerable(entry, hasOptions) {
  if (!entry.answer.trim()) return { field: "answer", say: hasOptions ? "needOption" : "needAnswer" };
  if (!entry.seenBy) return { field: "evidence", say: "needPlace" };
  if (entry.seenBy === "box" && !entry.boxes.length) return { field: "evidence", say: "needBox" };
  if (entry.seenBy === "points" && !entry.points.length) return { field: "evidence", say: "needPoints" };
  return null;
}

function missingForUnanswerable(entry, search) {
  if (!entry.premise) return { field: "premise", say: "needPremise" };
  if (!entry.knownBy) return { field: "evidence", say: "needGround" };
  if (entry.knownBy === "box" && !entry.boxes.length) return { field: "evidence", say: "needCounterBox" };
  if (entry.knownBy === "region" && !entry.regions.length) return { field: "evidence", say: "needRegion" };
  if (entry.knownBy === "region" && search.share(entry.regions[0]) < search.needed) {
    return { field: "evidence", say: "needRegionSearch" };
  }
  if (entry.knownBy === "waiver" && !entry.reason) return { field: "evidence", say: "needReason" };
  if (entry.knownBy === "search" && search.share() < search.needed) return { field: "evidence", say: "needSearch" };
  return null;
}

/**
 * The first thing still missing, or null.
 * @param {Entry} entry @param {boolean} hasOptions
 * @param {{share: (region?: number[]) => number, needed: number}} search what was seen, and the share that is needed
 * @returns {?{field: string, say: string}} `say` names a sentence of _messages.html
 */
export function missing(entry, hasOptions, search) {
  if (entry.verdict === "answerable") return missingForAnswerable(entry, hasOptions);
  if (entry.verdict === "unanswerable") return missingForUnanswerable(entry, search);
  if (entry.verdict === "ambiguous") return entry.code ? null : { field: "code", say: "needCode" };
  return { field: "verdict", say: "needVerdict" };
}

function evidence(entry) {
  const empty = { kind: "none", boxes: [], points: [], reason: null };
  if (entry.verdict === "answerable") {
    if (entry.seenBy === "box") return { ...empty, kind: "box", boxes: entry.boxes };
    if (entry.seenBy === "points") return { ...empty, kind: "points", points: entry.points };
    return { ...empty, kind: "whole" };
  }
  if (entry.verdict === "unanswerable") {
    if (entry.knownBy === "box") return { ...empty, kind: "box", boxes: entry.boxes };
    if (entry.knownBy === "region") return { ...empty, kind: "region", boxes: entry.regions };
    if (entry.knownBy === "waiver") return { ...empty, reason: entry.reason };
  }
  return empty;
}

/**
 * The body of `POST votes`.
 * @param {string} assignment @param {Entry} entry @param {{samples: object[], activeMs: number}} trace
 */
export function body(assignment, entry, trace) {
  const is = (verdict) => entry.verdict === verdict;
  return {
    assignment,
    verdict: entry.verdict,
    answer: is("answerable") ? entry.answer.trim() : "",
    evidence: evidence(entry),
    premise: is("unanswerable") ? entry.premise : null,
    code: is("ambiguous") ? entry.code : null,
    comment: entry.comment.trim(),
    confidence: entry.confidence,
    active_ms: Math.round(trace.activeMs),
    trace: trace.samples,
  };
}
