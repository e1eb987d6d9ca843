"""The form of one adjudication, and a case's votes as its page shows them."""

import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from annotation.adjudication.queries import Case
from annotation.models import EvidenceKind, Vote

COLOURS = 4
PREMISES = [
    ("", gettext_lazy("No premise fails")),
    ("object", gettext_lazy("The thing is not there")),
    ("relation", gettext_lazy("It is there, but not so placed or doing that")),
    ("attribute", gettext_lazy("It is there, but it is not like that")),
    ("unseen", gettext_lazy("It cannot be seen from here")),
]
CODES = [
    ("", gettext_lazy("It is not ambiguous")),
    ("several_referents", gettext_lazy("It could mean several things here")),
    ("vague_wording", gettext_lazy("The wording is vague")),
    ("outside_knowledge", gettext_lazy("It needs knowledge from outside the picture")),
    ("ungrammatical", gettext_lazy("It is not proper language")),
    ("wrong_original", gettext_lazy("The question itself is wrong")),
]
WAIVERS = [
    ("scene_excludes", gettext_lazy("No search was needed: the scene excludes it")),
    ("large_target", gettext_lazy("No search was needed: it would be too large to miss")),
    ("not_pictorial", gettext_lazy("No search was needed: it is not something a picture shows")),
]


class DecisionForm(forms.Form):
    """Verdict, what belongs to it, what it rests on, and why. The domain judges whether that carries the verdict."""

    verdict = forms.ChoiceField(
        label=gettext_lazy("Verdict"),
        widget=forms.RadioSelect,
        choices=[
            ("answerable", gettext_lazy("Answerable")),
            ("unanswerable", gettext_lazy("Unanswerable: a premise fails")),
            ("ambiguous", gettext_lazy("Ambiguous: it cannot be judged")),
        ],
    )
    answer = forms.CharField(label=gettext_lazy("Answer"), required=False, max_length=500)
    premise = forms.ChoiceField(label=gettext_lazy("What fails"), required=False, choices=PREMISES)
    code = forms.ChoiceField(label=gettext_lazy("Why ambiguous"), required=False, choices=CODES)
    evidence = forms.ChoiceField(label=pgettext_lazy("of a decision", "It rests on"), required=False)
    box = forms.CharField(
        label=gettext_lazy("Box"),
        required=False,
        max_length=80,
        help_text=gettext_lazy("Left, top, right, bottom in pixels of the picture; or draw it."),
        widget=forms.TextInput(attrs={"data-draw": "", "placeholder": "0, 0, 100, 100"}),
    )
    comment = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Auditors read it with the decision."),
    )

    def __init__(self, *args: Any, case: Case, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.votes = case.votes
        shown = [
            (f"voter-{number}", _("Marks of voter %d") % number) for number, vote in enumerate(case.votes, 1) if _marked(vote)
        ]
        own = [("box", _("A box of my own")), ("whole", _("The picture as a whole"))]
        self.fields["evidence"].choices = [  # type: ignore[attr-defined]
            ("", _("The voters' search of the picture, or nothing")),
            *shown,
            *own,
            *WAIVERS,
        ]
        if case.item.question.options:
            options = [("", _("No answer")), *((option, option) for option in case.item.question.options)]
            self.fields["answer"] = forms.ChoiceField(label=_("Answer"), required=False, choices=options)

    def clean_box(self) -> list[float]:
        text = self.cleaned_data["box"].strip(" []")
        try:
            box = [float(part) for part in text.split(",")] if text else []
        except ValueError:
            box = [0.0]
        if box and len(box) != 4:
            raise ValidationError(_("Write four numbers with commas: left, top, right, bottom."))
        return box

    def clean(self) -> dict[str, Any]:
        """The arguments of `adjudicate` that a person enters."""
        entered = self.cleaned_data
        said = {name: entered.get(name, "") for name in ("verdict", "answer", "premise", "code", "comment")}
        return {**said, "evidence": self._evidence(entered.get("evidence", ""), entered.get("box") or [])}

    def _evidence(self, chosen: str, box: list[float]) -> dict[str, Any]:
        if chosen.startswith("voter-"):
            vote = self.votes[int(chosen.removeprefix("voter-")) - 1]
            return {"kind": vote.evidence_kind, **vote.evidence}
        if chosen == "box":
            return {"kind": "box", "boxes": [box] if box else []}
        if chosen == "whole":
            return {"kind": "whole"}
        return {"kind": "none", "reason": chosen}


def shown_votes(votes: Sequence[Vote]) -> list[dict[str, Any]]:
    """Votes for `case.html`: numbered, without names."""
    return [_shown(number, vote) for number, vote in enumerate(votes, 1)]


def _shown(number: int, vote: Vote) -> dict[str, Any]:
    search = getattr(vote, "search_record", None)
    fields = ("verdict", "answer", "premise", "code", "waiver", "evidence_kind", "confidence", "comment", "late")
    return {name: getattr(vote, name) for name in fields} | {
        "number": number,
        "voter": _colour(number),
        "pseudonym": _("Voter %d") % number,
        "seen_share": search.seen_share if search else None,
        "active_seconds": vote.active_ms / 1000,
        "show": json.dumps(_around(vote)) if _marked(vote) else "",
    }


def marks_of(votes: Sequence[Vote]) -> list[dict[str, Any]]:
    """What all voters marked, for `partials/picture.html`."""
    marks = []
    for number, vote in enumerate(votes, 1):
        whose = {"label": _("Voter %d") % number, "voter": _colour(number)}
        kind = "region" if vote.evidence_kind == EvidenceKind.REGION else "box"
        marks += [{"kind": kind, "at": box, **whose} for box in vote.evidence.get("boxes", [])]
        marks += [{"kind": "point", "at": point, **whose} for point in vote.evidence.get("points", [])]
    return marks


def _colour(number: int) -> int:
    return number if number <= COLOURS else 0


def _marked(vote: Vote) -> bool:
    return bool(vote.evidence.get("boxes") or vote.evidence.get("points"))


def _around(vote: Vote) -> list[float]:
    """The smallest box around all that a voter marked, with some room around single points."""
    boxes = [*vote.evidence.get("boxes", []), *([x - 50, y - 50, x + 50, y + 50] for x, y in vote.evidence.get("points", []))]
    left, top, right, bottom = zip(*boxes, strict=True)
    return [min(left), min(top), max(right), max(bottom)]
