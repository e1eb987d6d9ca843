"""From the rows of a file to questions: read into a table of waiting rows, then made questions as their pictures arrive."""

from annotation.questions.intake.background import IMPORT_KIND, NothingLeft, go_on, resume, start_import
from annotation.questions.intake.importing import UnknownFolder, import_rows
from annotation.questions.intake.promoting import Promotion, promote_arrived, promote_rows
from annotation.questions.intake.trying import Trial
from annotation.questions.intake.waiting import FAILED, pictures_waited_for, waiting_rows

__all__ = [
    "FAILED",
    "IMPORT_KIND",
    "NothingLeft",
    "Promotion",
    "Trial",
    "UnknownFolder",
    "go_on",
    "import_rows",
    "pictures_waited_for",
    "promote_arrived",
    "promote_rows",
    "resume",
    "start_import",
    "waiting_rows",
]
