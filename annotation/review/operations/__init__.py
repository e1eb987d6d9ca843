"""The verbs of review: build a campaign, claim, vote, skip, renew, keep a draft, expire leases."""

from annotation.review.operations.campaigns import add_member, open_campaign, set_campaign_state, write_guideline
from annotation.review.operations.claiming import (
    claim_next,
    expire_leases,
    renew,
    save_draft,
    skip,
)
from annotation.review.operations.voting import ItemWithdrawn, cast_vote
from annotation.review.operations.withdrawing import withdraw_items

__all__ = [
    "ItemWithdrawn",
    "add_member",
    "cast_vote",
    "claim_next",
    "expire_leases",
    "open_campaign",
    "renew",
    "save_draft",
    "set_campaign_state",
    "skip",
    "withdraw_items",
    "write_guideline",
]
