"""Adjudication: the queue of disputed items, and the page on which one is decided."""

from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from annotation import access
from annotation.adjudication import operations, queries
from annotation.models import Campaign, Decision, Person, ReviewItem
from annotation.pages.addresses import path
from annotation.pages.decisions import DecisionForm, marks_of, shown_votes
from annotation.pages.forms import submitted
from annotation.pages.paging import page_of

CAMPAIGNS_AT_MOST = 200
# One sentence for three reasons, two of which only originals have: told apart, they would tell the kind.
LOOK_ONCE_MORE = gettext_lazy("People agree, but not so that their votes can settle it. Look for yourself.")
REASONS = {
    "evidence-against-absent": gettext_lazy("Somebody showed where the answer is, others found nothing."),
    "zero-count": gettext_lazy("Somebody answered zero, and this campaign takes no zero counts."),
    "called-ambiguous": gettext_lazy("Somebody called it ambiguous, and the votes are used up."),
    "verdicts-differ": gettext_lazy("The votes are used up and their verdicts still differ."),
    "answers-differ": gettext_lazy("People found an answer, but not the same one."),
    "not-searched": gettext_lazy("Nobody found it, but together they left parts of the picture unseen."),
    "not-sure": LOOK_ONCE_MORE,
    "appeal": gettext_lazy("A voter asks to look again."),
    "late-evidence": gettext_lazy("A vote that came after the decision shows where the answer is."),
    "unsound-original": LOOK_ONCE_MORE,
    "wrong-original": LOOK_ONCE_MORE,
}


class QueueFilter(forms.Form):
    campaign = forms.ChoiceField(label=gettext_lazy("Campaign"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = Campaign.objects.order_by("-pk").values_list("key", "name")[:CAMPAIGNS_AT_MOST]
        self.fields["campaign"].choices = [("", _("All")), *named]  # type: ignore[attr-defined]

    def chosen(self) -> str:
        return self.cleaned_data["campaign"] if self.is_valid() else ""


@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    person = access.require(request.user, "adjudicate")
    filters = QueueFilter(request.GET)
    cases = page_of(queries.open_cases(person=person, campaign_key=filters.chosen()), request, oldest_first=True)
    verdicts, since = queries.verdicts_of(cases.rows), queries.disputed_since(cases.rows)
    rows = [
        {"item": item, "reason": reason_of(item), "votes": verdicts[item.pk], "since": since.get(item.pk)} for item in cases.rows
    ]
    return render(request, "annotation/adjudication/queue.html", {**cases.context("rows"), "cases": rows, "filters": filters})


@require_http_methods(["GET", "HEAD", "POST"])
def case(request: HttpRequest, key: str) -> HttpResponse:
    """One case. A decision leads to the next case; a refused one comes back with what was entered."""
    person = access.require(request.user, "adjudicate")
    found = queries.case(item_key=key, person=person)
    if request.method != "POST":
        return _case(request, found, person, DecisionForm(case=found))
    form = DecisionForm(request.POST, case=found)

    def decided(decision: Decision) -> HttpResponse:
        following = queries.next_case(person=person, after=found.item)
        messages.success(request, _("Decided. Here is the next case.") if following else _("Decided. No case is left."))
        return redirect("case", following.key) if following else redirect("adjudication")

    verb = partial(operations.adjudicate, item_key=key, by=person)
    return submitted(form, verb, then=decided, again=partial(_case, request, found, person, form))


@require_safe
def search(request: HttpRequest, key: str, voter: int) -> JsonResponse:
    """How one voter of a case searched its picture, for replay.js; asked for only when somebody wants to see it."""
    person = access.require(request.user, "adjudicate")
    return JsonResponse(queries.search(queries.case(item_key=key, person=person), voter).as_json())


def _case(request: HttpRequest, found: queries.Case, person: Person, form: DecisionForm, status: int = 200) -> HttpResponse:
    """Neither kind, twin, edit nor model verdict is shown: who decides stays blind to them."""
    image = found.item.question.image
    following = queries.next_case(person=person, after=found.item)
    context = {
        "item": found.item,
        "reason": reason_of(found.item),
        "image": image,
        "info_url": access.image_info_url(image_key=image.key, role="adjudicator", at=timezone.now()),
        "marks": marks_of(found.votes),
        "votes": shown_votes(found.votes),
        "decision": found.decision,
        "form": form if found.open or form.is_bound else None,
        "next_key": following.key if following else "",
    }
    return render(request, "annotation/adjudication/case.html", context, status=status)


def reason_of(item: ReviewItem) -> Any:
    """Why an item is in dispute, as a sentence that is as true of an original as of an edited question."""
    return REASONS.get(item.dispute_reason, LOOK_ONCE_MORE)


urlpatterns = [
    path("adjudication/", queue, name="adjudication"),
    path("adjudication/<key:key>/", case, name="case"),
    path("adjudication/<key:key>/searches/<int:voter>/", search, name="case-search"),
]
