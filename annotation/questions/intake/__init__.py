"""From the rows of a file to questions: read into a table of waiting rows, then made questions as their pictures arrive."""

from annotation.questions.intake.importing import UnknownFolder, import_rows
from annotation.questions.intake.promoting import Promotion, promote_arrived, promote_rows
from annotation.questions.intake.waiting import FAILED, pictures_waited_for, waiting_rows

__all__ = [
    "FAILED",
    "Promotion",
    "UnknownFolder",
    "import_rows",
    "pictures_waited_for",
    "promote_arrived",
    "promote_rows",
    "waiting_rows",
]
