"""Keep the message catalogues true: `python -m hardbench_web.catalogues` updates .po from the code and compiles .mo.

Needs Babel (a development dependency) and no GNU gettext. English is the language of the code, so its messages are
their own translations; every other language is complete when no message is empty or fuzzy.
"""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import django
from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "annotation" / "locale"
LANGUAGES = {"en": "en", "zh_Hans": "zh_Hans"}
KEYWORDS = {"_": None, "gettext": None, "gettext_lazy": None, "ngettext": (1, 2), "ngettext_lazy": (1, 2), "gettext_noop": None}
# Contexts come as pgettext(context, message).
KEYWORDS |= {"pgettext": ((1, "c"), 2), "pgettext_lazy": ((1, "c"), 2), "npgettext": ((1, "c"), 2, 3)}  # type: ignore[dict-item]

Found = tuple[str | tuple[str, ...], str | None, str]


def sources() -> Iterator[tuple[Path, str]]:
    """Each file that may hold messages, with its text as Python source."""
    for path in sorted((ROOT / "annotation").rglob("*.py")):
        yield path, path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "templates").rglob("*")):
        if path.suffix in (".html", ".txt"):
            text = templatize(path.read_text(encoding="utf-8"), origin=str(path))
            # What is not a message is blanked out by templatize; its indentation would not be valid Python.
            yield path, "\n".join(line.strip() for line in text.splitlines())


def messages() -> Catalog:
    """All messages of code and templates, in the order of files."""
    catalog = Catalog(project="HARDBench web", charset="utf-8")
    for path, text in sources():
        found = extract("python", io.BytesIO(text.encode()), KEYWORDS, options={"encoding": "utf-8"})
        for _line, message, _comments, context in found:
            if message and message != ("", ""):
                catalog.add(message, context=context, locations=[(path.relative_to(ROOT).as_posix(), 0)])
    return catalog


def po_path(language: str) -> Path:
    return LOCALE / LANGUAGES[language] / "LC_MESSAGES" / "django.po"


def read(language: str) -> Catalog:
    with po_path(language).open("rb") as file:
        return read_po(file, locale=LANGUAGES[language])


def compiled(language: str) -> bytes:
    """What the .mo of a language has to be."""
    written = io.BytesIO()
    write_mo(written, read(language))
    return written.getvalue()


def missing(language: str) -> list[str]:
    """Messages of the code that the language's catalogue lacks, leaves empty, or marks fuzzy."""
    catalog = read(language)
    found = {(entry.id, entry.context): entry for entry in catalog if entry.id}
    lacking = []
    for message in messages():
        entry = found.get((message.id, message.context))
        strings = [] if entry is None else [entry.string] if isinstance(entry.string, str) else list(entry.string or ())
        if message.id and (entry is None or entry.fuzzy or not strings or not all(strings)):
            lacking.append(str(message.id))
    return lacking


def update(language: str) -> None:
    """Bring a catalogue to the code's messages, keep its translations, and compile it."""
    path = po_path(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    catalog = read(language) if path.exists() else Catalog(locale=LANGUAGES[language], project="HARDBench web", charset="utf-8")
    catalog.update(messages(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    if language == "en":
        for message in catalog:
            if message.id:
                message.string = message.id
    with path.open("wb") as file:
        write_po(file, catalog, width=120, omit_header=False, no_location=True, sort_output=True)
    path.with_suffix(".mo").write_bytes(compiled(language))


def main() -> int:
    settings.configure(USE_I18N=True)
    django.setup()
    for language in LANGUAGES:
        update(language)
        print(f"{language}: {len(missing(language))} messages without a translation")
        for text in missing(language):
            print("  ", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
