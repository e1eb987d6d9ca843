"""What waits for a person, in the order to do it: true sentences for the first page.

Each family of work asks a few bounded statements, whatever the tables hold; counts stop at COUNT_TO.
"""

from collections.abc import Iterator
from typing import Any, TypedDict

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import access
from annotation.adjudication.queries import disputed_items, open_cases
from annotation.models import (
    Campaign,
    CampaignState,
    Checkpoint,
    Decision,
    GenerationRun,
    JournalEntry,
    Kind,
    Person,
    Question,
    QuestionState,
    Release,
    ReleaseState,
    Role,
    RunState,
    Source,
    User,
)
from annotation.review.queries import OpenWork, open_work

COUNT_TO = 99
CAMPAIGNS_AT_MOST = 5
AUDITING = frozenset({Role.AUDITOR, Role.ADMINISTRATOR})


class Task(TypedDict):
    title: Any
    detail: Any
    url: str
    action: Any


def tasks_for(user: User | AnonymousUser) -> list[Task]:
    """The tasks of all the user's roles: own votes first, then what others wait for, then upkeep."""
    if not user.is_authenticated:
        return []
    person = access.person_of(user)
    tasks: list[Task] = []
    if Role.ANNOTATOR in user.roles:
        tasks += _reviewing(person)
    if access.may(user, "adjudicate"):
        tasks += _adjudicating(person)
    if access.may(user, "maintain"):
        tasks += _maintaining()
    if not AUDITING.isdisjoint(user.roles):
        tasks += _auditing()
    return tasks


def _reviewing(person: Person) -> Iterator[Task]:
    campaigns = open_work(person=person, at_most=CAMPAIGNS_AT_MOST)
    if not campaigns:
        detail = _("You are on no open campaign. A maintainer can add you to one; the page will then give you a question.")
        yield Task(title=_("Review"), detail=detail, url=reverse("review"), action=_("Look for a question"))
    for work in campaigns:
        yield Task(
            title=_("Review"),
            detail=_voted(work),
            url=reverse("review"),
            action=_("Review") if work.seats_left else _("Look again"),
        )


def _voted(work: OpenWork) -> str:
    if work.seats_left:
        state = _("The campaign “%(name)s” is open.")
    else:
        state = _("The campaign “%(name)s” is open, but no item takes votes just now.")
    voted = ngettext("You have voted on one item of it.", "You have voted on %(count)d items of it.", work.voted)
    return f"{state} {voted}" % {"count": work.voted, "name": work.campaign}


def _adjudicating(person: Person) -> Iterator[Task]:
    waiting = _count(open_cases(person=person))
    if waiting:
        detail = ngettext("One case waits for your decision.", "%(count)s cases wait for your decision.", waiting)
        detail %= {"count": _shown(waiting)}
        yield Task(title=_("Adjudication"), detail=detail, url=reverse("adjudication"), action=_("Decide"))


def _maintaining() -> Iterator[Task]:
    if not Source.objects.exists():
        detail = _("No source is here yet, so there are no questions. Import one.")
        yield Task(title=_("Sources"), detail=detail, url=reverse("sources"), action=_("See sources"))
    yield _campaigns()
    yield from _candidates()
    running = _count(GenerationRun.objects.filter(state=RunState.RUNNING))
    if running:
        detail = ngettext("One generation run is at work.", "%(count)s generation runs are at work.", running)
        yield Task(
            title=_("Generation"), detail=detail % {"count": _shown(running)}, url=reverse("runs"), action=_("See progress")
        )
    yield from _releases()


def _campaigns() -> Task:
    """What runs, and whether an adjudicator is waited for; how far each campaign is stands on its own page."""
    task = Task(title=_("Campaigns"), detail="", url=reverse("campaigns"), action=_("See how far they are"))
    running = _count(Campaign.objects.filter(state=CampaignState.OPEN))
    if not running:
        return task | {"detail": _("No campaign is open, so nobody can vote. Open one."), "action": _("Open a campaign")}
    detail = ngettext("One campaign is open.", "%(count)s campaigns are open.", running) % {"count": _shown(running)}
    disputed = _count(disputed_items())
    if disputed:
        waiting = ngettext("One item waits for an adjudicator.", "%(count)s items wait for an adjudicator.", disputed)
        detail += " " + waiting % {"count": _shown(disputed)}
    return task | {"detail": detail}


def _releases() -> Iterator[Task]:
    newest = Release.objects.order_by("-pk").first()
    unfinished = {
        ReleaseState.DRAFT: _("Release %(version)s is a draft. Build it when enough is decided."),
        ReleaseState.BUILDING: _("Release %(version)s is being built."),
        ReleaseState.BUILT: _("Release %(version)s is built and waits to be published."),
    }
    if newest is None:
        detail, action = _("There is no release yet. Draft one to see what is still missing."), _("Draft a release")
    elif newest.state in unfinished:
        detail, action = unfinished[ReleaseState(newest.state)] % {"version": newest.version}, _("See the release")
    else:
        return
    yield Task(title=_("Releases"), detail=detail, url=reverse("releases"), action=action)


def _candidates() -> Iterator[Task]:
    """Only the newest candidates are asked about: to find the last free one among a million would read them all."""
    newest = Question.objects.filter(kind=Kind.EDITED, state=QuestionState.CANDIDATE).order_by("-pk").values("pk")[:COUNT_TO]
    free = Question.objects.filter(pk__in=newest, items__isnull=True).count()
    if free:
        detail = ngettext(
            "One of the newest candidates is in no campaign yet.",
            "%(count)d of the newest candidates are in no campaign yet.",
            free,
        )
        yield Task(title=_("Candidates"), detail=detail % {"count": free}, url=reverse("candidates"), action=_("See candidates"))


def _auditing() -> Iterator[Task]:
    newest = Decision.objects.order_by("-pk").first()
    if newest is not None:
        detail = _("The newest decision is of %(day)s. Agreement, controls and errors say how far to trust the labels.")
        detail %= {"day": date_format(newest.created_at)}
        yield Task(title=_("Quality"), detail=detail, url=reverse("quality"), action=_("See quality"))
    sealed = Checkpoint.objects.order_by("-last_entry").first()
    fresh = _count(JournalEntry.objects.filter(pk__gt=sealed.last_entry if sealed else 0))
    if fresh:
        detail = ngettext(
            "One entry was written since the journal was last sealed.",
            "%(count)s entries were written since the journal was last sealed.",
            fresh,
        )
        yield Task(
            title=_("Journal"), detail=detail % {"count": _shown(fresh)}, url=reverse("journal"), action=_("Read the journal")
        )


def _count(rows: QuerySet[Any]) -> int:
    return rows.order_by()[: COUNT_TO + 1].count()


def _shown(count: int) -> str:
    return str(count) if count <= COUNT_TO else _("More than %(count)d") % {"count": COUNT_TO}
