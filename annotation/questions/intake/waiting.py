"""Reading about rows that wait: for which pictures, and what became of those."""

from django.db.models import Count, QuerySet

from annotation.models import AcquisitionState, ImportBatch, ImportedRow

FAILED = frozenset({AcquisitionState.GONE, AcquisitionState.MISMATCH, AcquisitionState.REFUSED})


def waiting_rows(batch: ImportBatch, state: str = "") -> QuerySet[ImportedRow]:
    """The rows of a batch that are no questions yet, with their picture, in the order of the file."""
    rows = ImportedRow.objects.filter(batch=batch).select_related("acquisition__source").order_by("pk")
    return rows.filter(acquisition__state=state) if state else rows


def pictures_waited_for(batch: ImportBatch) -> dict[str, int]:
    """How many rows of a batch wait, by the state of their picture."""
    if not batch.rows_waiting:
        return {}
    states = ImportedRow.objects.filter(batch=batch).values_list("acquisition__state").annotate(Count("pk"))
    return dict(states.order_by("acquisition__state"))
