"""The verbs of sources: add one; open, finish and abort the reading of a file; keep a file that was brought by a page."""

from annotation.sources.operations.adding import BadSource, SourceKnown, add_source
from annotation.sources.operations.batches import (
    AlreadyImported,
    ImportUnderWay,
    abort_batch,
    finish_batch,
    held,
    open_batch,
    read_whole,
)
from annotation.sources.operations.licensing import (
    LicenceKnown,
    RuledAlready,
    RulingUnexplained,
    describe_source,
    rule_on_licence,
)
from annotation.sources.operations.uploads import MOST_BYTES, FileTooLarge, keep_upload

__all__ = [
    "MOST_BYTES",
    "AlreadyImported",
    "BadSource",
    "FileTooLarge",
    "ImportUnderWay",
    "LicenceKnown",
    "RuledAlready",
    "RulingUnexplained",
    "SourceKnown",
    "abort_batch",
    "add_source",
    "describe_source",
    "finish_batch",
    "held",
    "keep_upload",
    "open_batch",
    "read_whole",
    "rule_on_licence",
]
