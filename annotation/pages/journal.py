"""The journal: who did what to what, newest first, by event or by subject."""

import json
import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from annotation import access
from annotation.models import Checkpoint, JournalEntry
from annotation.pages.middleware import STATUS
from annotation.pages.paging import page_of

SUBJECT = re.compile(r"([a-z]{1,40}) (\d{1,18})", re.ASCII)

# Steps from each event's name to the next one in the index: as many probes as there are names, however many entries.
EVENT_NAMES = """
WITH RECURSIVE name AS (
  (SELECT event FROM journal_entry ORDER BY event LIMIT 1)
  UNION ALL
  SELECT (SELECT e.event FROM journal_entry e WHERE e.event > name.event ORDER BY e.event LIMIT 1) FROM name
  WHERE name.event IS NOT NULL)
SELECT event FROM name WHERE event IS NOT NULL
"""


class JournalFilter(forms.Form):
    """Each filter has its index: an event's exact name, or one subject."""

    event = forms.ChoiceField(label=gettext_lazy("Event"), required=False)
    subject = forms.CharField(
        label=gettext_lazy("Subject"),
        required=False,
        max_length=60,
        widget=forms.TextInput(attrs={"placeholder": gettext_lazy("campaign 3")}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["event"].choices = [("", _("All")), *((name, name) for name in event_names())]  # type: ignore[attr-defined]

    def clean_subject(self) -> tuple[str, int] | None:
        text = self.cleaned_data["subject"].strip().lower()
        match = SUBJECT.fullmatch(text)
        if text and match is None:
            raise ValidationError(_("Write a subject as the list does, for example: campaign 3"))
        return (match[1], int(match[2])) if match else None

    def chosen(self) -> QuerySet[JournalEntry]:
        """The entries asked for; a filter that makes no sense finds none and says so at its field."""
        entries = JournalEntry.objects.select_related("actor")
        if not self.is_valid():
            return entries.none()
        if event := self.cleaned_data["event"]:
            entries = entries.filter(event=event)
        if subject := self.cleaned_data["subject"]:
            entries = entries.filter(subject_type=subject[0], subject_id=subject[1])
        return entries


def event_names() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(EVENT_NAMES)
        return [name for (name,) in cursor.fetchall()]


@require_safe
def journal(request: HttpRequest) -> HttpResponse:
    """Values before and after hold verdicts, so whoever reviews reads the entries without them."""
    access.require(request.user, "see-journal")
    filters = JournalFilter(request.GET)
    page = page_of(filters.chosen(), request)
    values = access.may_know_truth(request.user)
    context = {
        **page.context("rows"),
        "entries": [_row(entry, values=values) for entry in page.rows],
        "filters": filters,
        "checkpoint": Checkpoint.objects.order_by("-last_entry").first(),
        "values": values,
    }
    return render(request, "annotation/journal/list.html", context, status=200 if filters.is_valid() else STATUS["invalid"])


def _row(entry: JournalEntry, *, values: bool) -> dict[str, Any]:
    fields = ("event", "actor", "subject_type", "subject_id", "created_at")
    return {name: getattr(entry, name) for name in fields} | {
        "before_text": _readable(entry.before) if values else "",
        "after_text": _readable(entry.after) if values else "",
    }


def _readable(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value is not None else ""


urlpatterns = [path("journal/", journal, name="journal")]
