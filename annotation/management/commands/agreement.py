"""How far the people of a campaign agree."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db.models import Q

from annotation.management.verbs import VerbCommand
from annotation.models import Campaign
from annotation.quality import queries
from annotation.quality.figures import Figure
from annotation.wording import counted


class Command(VerbCommand):
    help = "Agreement of a campaign's votes over all rounds, with intervals, and each person's counts."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("campaign", help="the campaign's name or key")

    def perform(self, options: dict[str, Any]) -> dict[str, Any]:
        asked = options["campaign"]
        campaign = Campaign.objects.filter(Q(key=asked) | Q(name=asked)).first()
        if campaign is None:
            raise CommandError(f"There is no campaign {asked!r}. See the campaigns page for names.", returncode=3)
        found = queries.agreement_of(campaign)
        return {
            "campaign": campaign.name,
            "figures": {name: figure.as_json() for name, figure in found.figures.items()},
            "people": [
                {"person": p.person, "labels": dict(p.labels), "votes": p.votes, "pairs": p.pairs, "agreed": p.agreed}
                for p in found.people
            ],
        }

    def lines(self, outcome: dict[str, Any]) -> list[str]:
        figures = [f"{name:>24}  {_shown(Figure(**figure))}" for name, figure in outcome["figures"].items()]
        people = [
            f"{p['person']:>24}  {counted(p['votes'], 'vote')}; "
            f"{p['agreed']} of {counted(p['pairs'], 'meeting')} with others agreed"
            for p in outcome["people"]
        ]
        return [f"Campaign {outcome['campaign']}", *figures, *people]


def _shown(figure: Figure) -> str:
    if figure.value is None:
        return figure.undefined
    between = f" ({figure.low:.3f} to {figure.high:.3f})" if figure.low is not None and figure.high is not None else ""
    return f"{figure.value:.3f}{between}, {counted(figure.items, 'item')}"
