"""Who is to be named with a release: its sources with their licences, and who made each picture. Values in, values out."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.wording import counted

PATH = "ATTRIBUTION.md"
HEAD = """# Whom to name

Rows of this release were made from the sources below, and their pictures by the people below. Pictures are not part of
the release. Keep this file with every copy and every part of it."""


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """What a release says of a source. `ruling` is why its rows are in the release without a known licence."""

    name: str
    homepage: str
    citation: str
    images_redistributable: bool
    ruling: str = ""


def attributions(rows: Sequence[Mapping[str, Any]], sources: Mapping[str, SourceFacts]) -> str:
    """The file, from sealed rows and the facts of their sources by key; the same rows give the same text."""
    by_source: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_source[row["data_source"]].append(row)
    parts = [_source(sources[key], members) for key, members in sorted(by_source.items())]
    return "\n\n".join([HEAD, *parts, "## Pictures", _pictures(rows)]) + "\n"


def _source(facts: SourceFacts, rows: Sequence[Mapping[str, Any]]) -> str:
    licences = Counter(row["licence"] for row in rows)
    pictures = len({row["image"]["sha256"] for row in rows})
    passed = "may be passed on" if facts.images_redistributable else "may not be passed on"
    lines = [
        f"## {_line(facts.name)}",
        "",
        f"- {counted(len(rows), 'row')} about {counted(pictures, 'picture')}; its pictures {passed}",
        *(f"- licence: {_line(licence)} ({counted(number, 'row')})" for licence, number in sorted(licences.items())),
        *([f"- released without a known licence, by a written decision: {_line(facts.ruling)}"] if facts.ruling else []),
        *([f"- {facts.homepage}"] if facts.homepage else []),
        *([f"- {_line(facts.citation)}"] if facts.citation else []),
    ]
    return "\n".join(lines)


def _pictures(rows: Sequence[Mapping[str, Any]]) -> str:
    known = {(row["image"]["path"], row["attribution"], row["licence"]) for row in rows}
    lines = [f"| {_cell(path)} | {_cell(who) or 'see the source'} | {_cell(licence)} |" for path, who, licence in sorted(known)]
    return "\n".join(["| picture | by | licence |", "|---|---|---|", *lines])


def _line(text: str) -> str:
    return " ".join(text.split())


def _cell(text: str) -> str:
    return _line(text).replace("\\", "\\\\").replace("|", "\\|")
