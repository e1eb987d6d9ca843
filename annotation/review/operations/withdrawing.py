"""Taking items out of review whose picture is gone. Votes that stand, stand; nothing more is asked."""

from django.db import transaction

from annotation import journal
from annotation.models import Assignment, AssignmentState, Image, ItemState, Person, ReviewItem


@transaction.atomic
def withdraw_items(*, image: Image, by: Person) -> int:
    """End the review of all open and disputed items about a picture, and everybody's hold on them; how many.

    Items are locked as voting locks them, so a vote in flight is either counted before or told.
    """
    rows = ReviewItem.objects.filter(question__image=image, state__in=[ItemState.OPEN, ItemState.DISPUTED])
    items = list(rows.order_by("pk").select_for_update(of=["self"]))
    before = {item.pk: item.state for item in items}
    Assignment.objects.filter(item__in=before, live=True).update(state=AssignmentState.RELEASED)
    ReviewItem.objects.filter(pk__in=before).update(state=ItemState.WITHDRAWN, leased=0)
    journal.record_many(
        journal.entry(event="item.withdrawn", actor=by, subject=item, before={"state": before[item.pk]}) for item in items
    )
    return len(items)
