"""The forms of a campaign: opening one, its state, its roster, its guideline."""

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Campaign, CampaignState, Person
from annotation.review.queries import questions_to_review, reviewers

QUESTIONS_AT_MOST = 20_000
GUIDELINE = gettext_lazy(
    "Look at the whole picture before you say that something is not there; the map in the corner shows what you have seen.\n"
    "Answerable: give the answer, and mark where you see it.\n"
    "Unanswerable: say which premise fails, and mark what shows it where something does.\n"
    "Ambiguous: only if a careful person could not decide, not if you are unsure."
)


def named(person: Person) -> str:
    """Log-in and pseudonym, as only whoever runs campaigns is shown them (docs/decisions/0006)."""
    return f"{person.user.username} ({person.pseudonym})" if person.user else person.pseudonym


class PeopleForm(forms.Form):
    """A form with a choice among people, by log-in, for maintainers only; what is sent are public keys."""

    chooser: ClassVar[str]

    def __init__(self, *args: Any, people: QuerySet[Person], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        by_name = sorted(people.select_related("user"), key=lambda person: named(person).casefold())
        self.known = {person.key: person for person in by_name}
        self.fields[self.chooser].choices = [(key, named(person)) for key, person in self.known.items()]  # type: ignore[attr-defined]


class CampaignForm(PeopleForm):
    """Its cleaned values are the arguments of `open_campaign`."""

    chooser = "people"

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    questions = forms.ChoiceField(
        label=gettext_lazy("Questions"),
        widget=forms.RadioSelect,
        initial="pairs",
        choices=[
            ("pairs", gettext_lazy("Candidates, each with its original")),
            ("all", gettext_lazy("All active originals and candidates")),
        ],
        help_text=gettext_lazy("The oldest first that no campaign has had yet."),
    )
    at_most = forms.IntegerField(label=gettext_lazy("Questions at most"), min_value=1, max_value=QUESTIONS_AT_MOST, initial=1000)
    again = forms.BooleanField(label=gettext_lazy("Also take questions that were in a campaign before"), required=False)
    people = forms.MultipleChoiceField(
        label=gettext_lazy("People"),
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("By log-in, with the pseudonym that acts. More can be added later."),
    )
    votes_needed = forms.IntegerField(label=gettext_lazy("Votes per question"), min_value=1, max_value=9, initial=3)
    votes_at_most = forms.IntegerField(
        label=gettext_lazy("Votes at most"),
        min_value=1,
        max_value=15,
        initial=5,
        help_text=gettext_lazy("Where people differ, more are asked up to this."),
    )
    guideline = forms.CharField(label=gettext_lazy("Guideline"), initial=GUIDELINE, widget=forms.Textarea(attrs={"rows": 7}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, people=reviewers(), **kwargs)

    def clean_people(self) -> list[Person]:
        return [self.known[key] for key in self.cleaned_data["people"]]

    def clean_votes_at_most(self) -> int:
        most: int = self.cleaned_data["votes_at_most"]
        if most < self.cleaned_data.get("votes_needed", 0):
            raise ValidationError(_("This cannot be less than the votes per question."))
        return most

    def clean(self) -> dict[str, Any]:
        entered = dict(self.cleaned_data)
        again = entered.pop("again", False)
        at_most = entered.pop("at_most", 0)
        if not self.errors:
            entered["questions"] = questions_to_review(which=entered["questions"], at_most=at_most, fresh_only=not again)
        return entered


class StateForm(forms.Form):
    state = forms.ChoiceField(choices=CampaignState.choices)


class RosterForm(PeopleForm):
    chooser = "person"

    person = forms.ChoiceField(label=gettext_lazy("Person"))

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, people=reviewers().exclude(memberships__campaign=campaign), **kwargs)

    def clean_person(self) -> Person:
        return self.known[self.cleaned_data["person"]]


class GuidelineForm(forms.Form):
    text = forms.CharField(label=gettext_lazy("Text"), widget=forms.Textarea(attrs={"rows": 8}))
