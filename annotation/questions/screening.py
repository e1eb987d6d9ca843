"""The screening chain: what rules alone can say about an edited question, in order, each rule with its version.

It only screens and ranks. A candidate that passes still needs people; one that fails is kept, with the reason.
Change a rule, raise its version: old results stay beside new ones.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from annotation import english
from annotation.hashing import normalised_text
from annotation.questions import vocabulary
from annotation.questions.counting import ZeroCount, names_definite_thing
from annotation.questions.edits import Component, Edit, Operation, SemanticTuple, one_span_difference
from annotation.questions.grammar import Asks, ParsedQuestion, asks, parse
from annotation.questions.presence import kin_of, near_value

MOST_WORDS = 6
MOST_WORDS_SWAPPED = 14
NEGATION = re.compile(
    r"\b(no|not|none|never|nothing|nobody|nowhere|neither|nor|without|lacks?|lacking|missing|except)\b|n['’]t\b", re.I
)
EXISTENCE = re.compile(
    r"\s*(?:(?:is|are|was|were) there\b|(?:is|are) any\b|(?:can|do) (?:you|we) see\b"
    r"|does (?:the|this) (?:image|picture|photo) (?:show|contain|have)\b)",
    re.IGNORECASE,
)
ESCAPE = re.compile(
    r"\b(cannot|can't|can not|none of|not enough|unknown|undetermined|not visible|all of the above)\b", re.IGNORECASE
)
PLURAL_VERBS = ("are", "were")


@dataclass(frozen=True)
class Sibling:
    """Another question about the same picture, with what is known to answer it: both say what is there."""

    text: str
    answers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Candidate:
    """An edited question with everything the rules look at. `taken` holds the normalised texts of the picture's
    questions, edited ones too."""

    edit: Edit
    options: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    siblings: tuple[Sibling, ...] = ()
    taken: frozenset[str] = frozenset()
    zero_count: ZeroCount = ZeroCount.REJECT

    @property
    def before(self) -> str:
        return self.edit.change.text

    @property
    def after(self) -> str:
        return self.edit.edited

    @property
    def said(self) -> tuple[str, ...]:
        """Every text that says what is in the picture."""
        return (self.before, *self.answers, *(text for s in self.siblings for text in (s.text, *s.answers)))

    def said_of(self, thing: str) -> list[str]:
        """What is said in questions that name a thing: their texts and answers."""
        about = [sibling for sibling in self.siblings if kin_of(thing, [sibling.text])]
        return [self.before, *self.answers, *(text for s in about for text in (s.text, *s.answers))]


@dataclass(frozen=True)
class Check:
    """The outcome of one check of one candidate. `score` where the check measures something."""

    name: str
    version: int
    passed: bool
    score: float | None = None
    detail: str = ""


Outcome = tuple[bool, float | None, str]


def screen(candidate: Candidate) -> tuple[Check, ...]:
    """All checks, in order. A later check runs although an earlier one failed: the reasons together help the editor."""
    return tuple(Check(name, version, *rule(candidate)) for name, version, rule in CHAIN)


def passed(checks: tuple[Check, ...]) -> bool:
    return all(check.passed for check in checks)


def one_span(candidate: Candidate) -> Outcome:
    """The difference is one short phrase."""
    change = one_span_difference(candidate.before, candidate.after)
    length = max(len(change.old.split()), len(change.new.split()))
    limit = MOST_WORDS_SWAPPED if candidate.edit.operation is Operation.SWAP else MOST_WORDS
    return length <= limit, float(length), "" if length <= limit else f"{length} words changed, at most {limit} may."


def same_answer_type(candidate: Candidate) -> Outcome:
    """Both questions ask for the same kind of answer."""
    before, after = asks(candidate.before), asks(candidate.after)
    if before is None and after is None:
        return True, None, "Not an English question; not checked."
    return before is after, None, "" if before is after else f"The original asks for {before}, the edit for {after}."


def grammar(candidate: Candidate) -> Outcome:
    """The edit brings no fault of grammar that the original does not have."""
    new = sorted(faults(candidate.after) - faults(candidate.before))
    lost = parse(candidate.before) is not None and parse(candidate.after) is None
    reasons = [*new, *(["it is no longer a question that the grammar reads"] if lost else [])]
    return not reasons, float(len(reasons)), "; ".join(reasons)


def negation(candidate: Candidate) -> Outcome:
    """The edit brings no negation: "the man without a hat" turns the task into another one."""
    new = {m[0].lower() for m in NEGATION.finditer(candidate.after)} - {m[0].lower() for m in NEGATION.finditer(candidate.before)}
    return not new, None, f"It negates: {', '.join(sorted(new))}." if new else ""


def existence(candidate: Candidate) -> Outcome:
    """Asked whether something is there, "no" is an answer; the same for yes/no questions about nothing definite."""
    if EXISTENCE.match(candidate.after):
        return False, None, "It asks whether something is there: no is an answer."
    if asks(candidate.after) is Asks.YES_NO and not names_definite_thing(candidate.edit):
        return False, None, "A yes/no question: no is an answer."
    return True, None, ""


def zero_count(candidate: Candidate) -> Outcome:
    """A count whose changed words restrict what is counted has the answer 0 (policy of the campaign)."""
    if asks(candidate.after) is not Asks.COUNT or names_definite_thing(candidate.edit):
        return True, None, ""
    allowed = candidate.zero_count is not ZeroCount.REJECT
    return allowed, 0.0, "The changed words restrict what is counted: 0 is an answer."


def directions(candidate: Candidate) -> Outcome:
    """The edit does not just turn a direction, a place or a rank round: something usually fits the other one as well."""
    change = one_span_difference(candidate.before, candidate.after)
    old, new = (re.findall(r"[\w-]+", phrase.lower()) for phrase in (change.old, change.new))
    turned = bool(old and new) and all(vocabulary.points_somewhere(word) for word in (*old, *new))
    return not turned, None, f"Something may well fit {change.new!r} as it fitted {change.old!r}." if turned else ""


def parents_stay(candidate: Candidate) -> Outcome:
    """What the falsified claim rests on is left as it was; otherwise an attribute edit is really an object edit."""
    edit = candidate.edit
    if edit.operation is Operation.SWAP:
        return True, None, ""
    touched = [p for p in map(edit.tuples.__getitem__, _known_parents(edit)) if p.span and p.span.overlaps(edit.change.span)]
    return not touched, None, "; ".join(f"It also changes the {claim.kind} {claim.parts[-1]!r}." for claim in touched)


def presence(candidate: Candidate) -> Outcome:
    """Nothing that the picture is known to show goes by the name of the new thing or value."""
    other = _already_said(candidate)
    return other is None, None, "" if other is None else f"{other!r} is said to be there and may be what is meant."


def options(candidate: Candidate) -> Outcome:
    """No option names the new thing, and none is a way to refuse."""
    new = candidate.edit.falsified.parts[-1].lower()
    if any(ESCAPE.search(option) for option in candidate.options):
        return False, None, "An option is a way to refuse; strip it first."
    clash = next((option for option in candidate.options if option.strip().lower() == new), None)
    return clash is None, None, "" if clash is None else f"The option {clash!r} is the new phrase."


def duplicate(candidate: Candidate) -> Outcome:
    """Nobody asks the same of this picture yet."""
    repeated = normalised_text(candidate.after) in candidate.taken
    return not repeated, None, "The same question is asked of this picture already." if repeated else ""


CHAIN: tuple[tuple[str, int, Callable[[Candidate], Outcome]], ...] = (
    ("one-span", 1, one_span),
    ("same-answer-type", 1, same_answer_type),
    ("grammar", 1, grammar),
    ("negation", 1, negation),
    ("existence", 1, existence),
    ("zero-count", 1, zero_count),
    ("directions", 1, directions),
    ("parents-stay", 1, parents_stay),
    ("presence", 1, presence),
    ("options", 1, options),
    ("duplicate", 1, duplicate),
)


def faults(text: str) -> frozenset[str]:
    """What is wrong with the grammar of a text: repeated words, a/an, blanks, number of the verb and of what is counted."""
    words = [word.lower() for word in re.findall(r"[\w'’-]+", text)]
    pairs = list(pairwise(words))
    found = {f"the word {a!r} is repeated" for a, b in pairs if a == b}
    found |= {f"{a!r} stands before {b!r}" for a, b in pairs if a in ("a", "an") and english.article(b) != a}
    found |= {"blanks are misplaced"} if re.search(r"\s{2,}|\s[?.,]", text) else set()
    parsed = parse(text)
    return frozenset(found | _number_faults(parsed)) if parsed else frozenset(found)


def _number_faults(parsed: ParsedQuestion) -> set[str]:
    found = set()
    subject = parsed.things.get("owner") or parsed.things.get("thing")
    if subject is not None and "be" in parsed.words:
        verb, head = parsed.words["be"].lower, subject.head.text
        if (verb in PLURAL_VERBS) != english.is_plural(head):
            found.add(f"{verb!r} does not agree with {head!r}")
    counted = parsed.things.get("counted")
    if counted is not None and not english.is_plural(counted.head.text) and counted.head.lower not in english.SAME_IN_BOTH:
        found.add(f"{counted.head.text!r} cannot be counted")
    return found


def _known_parents(edit: Edit) -> list[int]:
    return [parent for parent in edit.falsified.parents if parent < len(edit.tuples)]


def _already_said(candidate: Candidate) -> str | None:
    edit = candidate.edit
    claim: SemanticTuple = edit.falsified
    if edit.operation is Operation.SWAP:
        return None
    if edit.component is Component.OBJECT:
        return kin_of(claim.parts[-1], candidate.said)
    if edit.component is Component.ATTRIBUTE:
        return near_value(claim.parts[-1], candidate.said_of(claim.parts[0]))
    old, new = (vocabulary.relations().get(phrase.strip().lower()) for phrase in (edit.change.old, edit.change.new))
    return old.name if old and new and old.kind == new.kind else None
