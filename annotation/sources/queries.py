"""Reading about sources: what was imported from each, and what was rejected."""

from django.db.models import Count, QuerySet

from annotation.models import ImportBatch, ImportProblem, Source


def sources() -> QuerySet[Source]:
    """All sources by key, each with `image_count` and `question_count`."""
    return Source.objects.annotate(
        image_count=Count("images", distinct=True), question_count=Count("questions", distinct=True)
    ).order_by("key")


def batches(source: Source | None = None) -> QuerySet[ImportBatch]:
    """Imports, newest first, with their source and person; of one source or of all."""
    found = ImportBatch.objects.select_related("source", "by").order_by("-id")
    return found if source is None else found.filter(source=source)


def problems(batch: ImportBatch) -> QuerySet[ImportProblem]:
    """The rejected rows of an import, in the order of the file."""
    return ImportProblem.objects.filter(batch=batch).order_by("line", "id")
