"""Pictures that rows name: how far each came and why, the hosts they come from, and asking again."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from annotation import access
from annotation.errors import Invalid
from annotation.images import operations, queries
from annotation.models import AcquisitionState, Person, Source
from annotation.pages.addresses import path
from annotation.pages.middleware import STATUS
from annotation.pages.paging import page_of

HOSTS_AT_MOST = 50
STATES = {
    AcquisitionState.WANTED: gettext_lazy("wanted"),
    AcquisitionState.FETCHING: gettext_lazy("fetching"),
    AcquisitionState.STORED: gettext_lazy("stored"),
    AcquisitionState.GONE: gettext_lazy("gone"),
    AcquisitionState.MISMATCH: gettext_lazy("not the expected bytes"),
    AcquisitionState.REFUSED: gettext_lazy("refused"),
    AcquisitionState.THROTTLED: gettext_lazy("throttled"),
}


class FormIncomplete(Invalid):
    """A form that no page of ours sends."""

    code = "form-incomplete"


class AcquisitionFilter(forms.Form):
    """Which pictures are meant: on the list, and for asking again."""

    source = forms.ModelChoiceField(Source.objects.none(), label=gettext_lazy("Source"), required=False, to_field_name="key")
    state = forms.ChoiceField(label=gettext_lazy("State"), required=False, choices=[("", gettext_lazy("All")), *STATES.items()])
    host = forms.CharField(label=gettext_lazy("Host"), required=False, max_length=260)
    text = forms.CharField(label=gettext_lazy("Text in the name"), required=False, max_length=200)
    reason = forms.CharField(label=gettext_lazy("Text in the reason"), required=False, max_length=200)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen: Any = self.fields["source"]
        chosen.queryset = Source.objects.order_by("name")
        chosen.empty_label = _("All")

    def place(self) -> dict[str, Any]:
        """All but the state, as arguments of queries and verbs."""
        values = self.cleaned_data if self.is_valid() else {}
        texts = {name: values.get(name, "") for name in ("text", "reason")}
        return {"source": values.get("source"), "host": values.get("host", "").lower(), **texts}


class AgainForm(AcquisitionFilter):
    name = forms.CharField(required=False, max_length=2000, strip=False)


class HostForm(forms.Form):
    """Its cleaned values but `deed` are the arguments of `set_manners`."""

    host = forms.CharField(max_length=260)
    deed = forms.ChoiceField(choices=[("pause", ""), ("resume", ""), ("manners", "")])
    spacing_ms = forms.IntegerField(required=False)
    at_once = forms.IntegerField(required=False)


@require_safe
def acquisitions(request: HttpRequest) -> HttpResponse:
    access.require(request.user, "see-candidates")
    filters = AcquisitionFilter(request.GET)
    rows = queries.acquisitions(**filters.place(), state=filters.cleaned_data.get("state", ""))
    page = page_of(rows if filters.is_valid() else rows.none(), request)
    context = {
        **page.context("acquisitions"),
        **_progress(filters),
        "filters": filters,
        "hosts": queries.hosts()[:HOSTS_AT_MOST],
        "may_change": access.may(request.user, "maintain"),
        "again": operations.AGAIN,
    }
    status = 200 if filters.is_valid() else STATUS["invalid"]
    return render(request, "annotation/acquisitions/list.html", context, status=status)


@require_safe
def progress(request: HttpRequest) -> HttpResponse:
    """The figures alone, which ask for themselves while something is left."""
    access.require(request.user, "see-candidates")
    return render(request, "annotation/acquisitions/_progress.html", _progress(AcquisitionFilter(request.GET)))


@require_POST
def fetch(request: HttpRequest) -> HttpResponse:
    """Hand the wanted addresses, of one source or of all, to the workers."""
    by = access.require(request.user, "maintain")
    form = _complete(AcquisitionFilter(request.POST))
    queued = operations.acquire_by_address(by=by, source=form.cleaned_data["source"])
    told = ngettext("%(count)s more address will be fetched.", "%(count)s more addresses will be fetched.", queued)
    messages.success(request, told % {"count": queued})
    return _back(form)


@require_POST
def again(request: HttpRequest) -> HttpResponse:
    """Ask again for one picture, or for all that a filter shows."""
    by = access.require(request.user, "maintain")
    form = _complete(AgainForm(request.POST))
    states = [form.cleaned_data["state"]] if form.cleaned_data["state"] else sorted(operations.AGAIN)
    asked = operations.ask_again(by=by, states=states, name=form.cleaned_data["name"], **form.place())
    told = ngettext("%(count)s picture is wanted again.", "%(count)s pictures are wanted again.", asked)
    messages.success(request, told % {"count": asked})
    return _back(form)


@require_POST
def host(request: HttpRequest) -> HttpResponse:
    """Pause a host, resume it, or set how often it is asked."""
    by = access.require(request.user, "maintain")
    form = _complete(HostForm(request.POST))
    values = form.cleaned_data
    _do(values.pop("deed"), values, by)
    messages.success(request, _("This holds for %(host)s from now on.") % {"host": values["host"]})
    return redirect("acquisitions")


def _do(deed: str, values: dict[str, Any], by: Person) -> None:
    if deed == "pause":
        operations.pause_host(host=values["host"], by=by)
    elif deed == "resume":
        operations.resume_host(host=values["host"], by=by)
    elif None in values.values():
        raise FormIncomplete(_("Give both the time between requests and how many at once."))
    else:
        operations.set_manners(by=by, **values)


def _complete(form: Any) -> Any:
    if not form.is_valid():
        raise FormIncomplete(_("The form was not complete. Go back, load the page anew, and try again."))
    return form


def _progress(filters: AcquisitionFilter) -> dict[str, Any]:
    place = filters.place()
    found = queries.progress(**place)
    return {
        "progress": found,
        "counts": [{"state": state, "count": found.counts[state], "query": _query(place, state)} for state in STATES],
        "time_left": _duration(found.seconds_left),
        "query": _query(place),
    }


def _query(place: dict[str, Any], state: str = "") -> str:
    chosen = QueryDict(mutable=True)
    values = {**place, "source": place["source"].key if place["source"] else "", "state": state}
    chosen.update({name: value for name, value in values.items() if value})
    return chosen.urlencode()


def _duration(seconds: int | None) -> str:
    """About how long, for people; empty while it cannot be told."""
    if seconds is None:
        return ""
    if seconds < 90:
        return _("about %(count)s s") % {"count": seconds}
    if seconds < 5400:
        return _("about %(count)s min") % {"count": round(seconds / 60)}
    return _("about %(count)s h") % {"count": round(seconds / 3600)}


def _back(form: AcquisitionFilter) -> HttpResponse:
    return redirect(f"{reverse('acquisitions')}?{_query(form.place())}".rstrip("?"))


urlpatterns = [
    path("acquisitions/", acquisitions, name="acquisitions"),
    path("acquisitions/progress/", progress, name="acquisitions-progress"),
    path("acquisitions/fetch/", fetch, name="acquisitions-fetch"),
    path("acquisitions/again/", again, name="acquisitions-again"),
    path("acquisitions/host/", host, name="acquisitions-host"),
]
