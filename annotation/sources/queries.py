"""Reading about sources: what was imported from each, and what was rejected."""

from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import Coalesce

from annotation.models import ImportBatch, ImportProblem, LicenceRuling, Source


def sources() -> QuerySet[Source]:
    """All sources, each with `import_count` and `question_count`. The caller orders and bounds.

    Questions are summed over imports, one join: to count them, or pictures beside them, would read them all.
    """
    return Source.objects.annotate(import_count=Count("batches"), question_count=Coalesce(Sum("batches__rows_accepted"), 0))


def standing_rulings() -> dict[int, LicenceRuling]:
    """The newest ruling on the licence of each source that was ruled on, by the source's id."""
    return {ruling.source_id: ruling for ruling in LicenceRuling.objects.order_by("source_id", "-pk").distinct("source_id")}


def batches(source: Source | None = None) -> QuerySet[ImportBatch]:
    """Imports, newest first, with their source and person; of one source or of all."""
    found = ImportBatch.objects.select_related("source", "by").order_by("-id")
    return found if source is None else found.filter(source=source)


def problems(batch: ImportBatch) -> QuerySet[ImportProblem]:
    """The rejected rows of an import, in the order of the file."""
    return ImportProblem.objects.filter(batch=batch).order_by("line", "id")
