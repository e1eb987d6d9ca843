"""The text of a file in whatever encoding a person brings: declared or found, decoded in blocks. Pure: paths in.

Found in this order: a byte order mark; UTF-16 by its zero bytes; UTF-8, if the whole file is, or if its few broken
places are fewer than its sound characters (their rows are rejected); GB18030, if the whole file decodes and most of its
characters are common Chinese ones; Windows-1252 (Latin-1 with letters for most controls), if it looks like a Latin
script. Anything else has to be declared: a wrong guess would put wrong words into questions without a sound.
"""

import codecs
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from annotation.sources.faults import BadEncoding, NotRows, Truncated, Unreadable

BLOCK = 1 << 18  # bytes decoded at once
SAMPLE = 1 << 20  # bytes that decide which script a text is in
MOST_LINE = 1 << 20  # characters of one line
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
UTF = ("utf-8", "utf-16", "utf-16-le", "utf-16-be")
EAST = ("gb18030", "gbk", "gb2312", "big5", "shift_jis", "euc_jp", "euc_kr")
WEST = ("latin-1", "cp1252", "cp1250", "cp1251", "iso8859-2", "iso8859-15")
DECLARABLE = (*UTF, *EAST, *WEST)
CONTROLS = bytes(set(range(32)) - set(b"\t\n\x0b\x0c\r\x1b") | {127})
# Very common in questions about pictures and in Chinese at large; in Korean that is misread they are not.
COMMON = frozenset(
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定"
    "行学法所民得经十三之进着等部度家电力里如水化高自二理起小现实加都两体制机当使点从本去把好应开它合还因由其些然前外天"
    "什么几哪谁红黄蓝绿黑白色左右边图片张看见旁穿拿站坐桌椅车物手头字号，。？、！：；“”（）"
)
BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
HALVES = re.compile("[\ud800-\udfff]")
LETTERS = re.compile(r"[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Text:
    """A file whose encoding is settled. `mark` bytes of byte order mark stand before its text; `guessed` tells that the
    encoding was inferred from the characters, so that a person should look at them."""

    path: Path
    encoding: str
    mark: int = 0
    guessed: bool = False

    def blocks(self) -> Iterator[str]:
        """The text in pieces, every end of line as a line feed. What does not decode comes as lone surrogates.

        Raises Unreadable, Truncated (half a character of UTF-16 at the end).
        """
        decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(self.encoding)(self.errors), translate=True)
        try:
            for raw in raw_blocks(self.path, self.mark):
                yield decoder.decode(raw)
            yield decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            raise Truncated("The file ends in the middle of a character: fetch it again.") from error

    @property
    def errors(self) -> str:
        """How undecodable bytes are handled: kept as lone surrogates, which no sound row has."""
        return "surrogatepass" if self.encoding.startswith("utf-16") else "surrogateescape"


def opened(path: Path) -> BinaryIO:
    """The file. Raises Unreadable."""
    try:
        return path.open("rb")
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be read: {error.strerror}.") from error


def raw_blocks(path: Path, start: int = 0) -> Iterator[bytes]:
    """The bytes of a file from a place on. Raises Unreadable."""
    with opened(path) as stream:
        stream.seek(start)
        while raw := stream.read(BLOCK):
            yield raw


def line_blocks(blocks: Iterable[str], after: int = 0) -> Iterator[tuple[int, list[str], bool]]:
    """Whole lines in groups: the number of the first, the lines without their ends, and whether the last one was ended.

    The first `after` lines are only counted. A line longer than MOST_LINE is cut, but stays longer than that.
    """
    first, rest = after + 1, ""
    for block in _without(blocks, after):
        *ended, last = block.split("\n")
        if not ended:
            rest = (rest + last)[: MOST_LINE + 1]
            continue
        ended[0] = rest + ended[0]
        yield first, ended, True
        first, rest = first + len(ended), last
    if rest:
        yield first, [rest], False


def _without(blocks: Iterable[str], count: int) -> Iterator[str]:
    for block in blocks:
        if count:
            ends = block.count("\n")
            if ends < count:
                count -= ends
                continue
            block, count = block.split("\n", count)[-1], 0
        yield block


def whole(text: str) -> bool:
    """Whether a text has no lone surrogate, which also stands for bytes that did not decode."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def text_of(path: Path, declared: str | None = None) -> Text:
    """The file as text. Raises Unreadable, BadEncoding, NotRows (binary)."""
    with opened(path) as stream:
        head = stream.read(1 << 16)
    mark, marked = next(((mark, name) for mark, name in MARKS if head.startswith(mark)), (b"", ""))
    if marked == "utf-32":
        raise BadEncoding("The file is UTF-32: save it as UTF-8.", field="encoding")
    if declared:
        return Text(path, _declared(declared, marked, head), len(mark))
    encoding = marked or _by_zeros(head)
    if encoding:
        return Text(path, encoding, len(mark))
    if is_binary(head):
        raise NotRows("The file is binary, not text: bring rows as JSON lines, JSON, CSV or Parquet.")
    return _guessed(path)


def _declared(name: str, marked: str, head: bytes) -> str:
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        codec = ""
    known = {codecs.lookup(one).name for one in DECLARABLE} | {"utf-8-sig"}
    if codec not in known:
        raise BadEncoding(f"There is no encoding {name!r} here: choose one of {', '.join(DECLARABLE)}.", field="encoding")
    codec = {"utf-8-sig": "utf-8", "gbk": "gb18030", "gb2312": "gb18030"}.get(codec, codec)
    if codec == "utf-16":
        codec = marked if marked.startswith("utf-16") else _by_zeros(head) or "utf-16-le"
    if marked and marked != codec:
        raise BadEncoding(f"The file starts with the mark of {marked}, but {name} was declared.", field="encoding")
    return codec


def _by_zeros(head: bytes) -> str:
    """Which UTF-16 a text is in that starts with two ASCII characters and has many more; empty if in neither."""
    pairs, start = len(head) // 2, head[:4]
    if len(start) < 4:
        return ""
    for name, zeros, others in (("utf-16-le", 1, 0), ("utf-16-be", 0, 1)):
        if not any(start[zeros::2]) and all(start[others::2]) and head[zeros::2].count(0) >= pairs / 5:
            return name
    return ""


def is_binary(head: bytes) -> bool:
    """Whether bytes have more control characters than a text with some mishaps."""
    return len(head) - len(head.translate(None, CONTROLS)) > max(len(head) / 20, 4)


def _guessed(path: Path) -> Text:
    if _is_utf8(path):
        return Text(path, "utf-8")
    if _decodes(path, "gb18030") and _looks_chinese(_sample(path, "gb18030")):
        return Text(path, "gb18030", guessed=True)
    if _decodes(path, "cp1252") and _looks_latin(_sample(path, "cp1252")):
        return Text(path, "cp1252", guessed=True)
    raise BadEncoding("The file is not UTF-8, and its encoding cannot be told: declare it.", field="encoding")


def _is_utf8(path: Path) -> bool:
    if _decodes(path, "utf-8"):
        return True
    sound = broken = 0
    for block in Text(path, "utf-8").blocks():
        halves = len(HALVES.findall(block))
        broken += halves
        sound += len(BEYOND_ASCII.findall(block)) - halves
    return sound > broken


def _decodes(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for raw in raw_blocks(path):
            decoder.decode(raw)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _sample(path: Path, encoding: str) -> str:
    with opened(path) as stream:
        return stream.read(SAMPLE).decode(encoding, "ignore")


def _looks_chinese(text: str) -> bool:
    """Whether what is not ASCII is mostly symbols and the 3,755 characters of GB 2312's first level (first bytes up to
    0xD7), and has as many of the very common ones as Chinese has. Latin letters that decode as Chinese fail the first,
    Korean fails the second."""
    beyond = BEYOND_ASCII.findall(text)
    leads = "".join(beyond).encode("gb2312", "ignore")[::2]
    common = sum(character in COMMON for character in beyond)
    return sum(lead <= 0xD7 for lead in leads) >= 0.6 * len(beyond) and common >= 0.15 * len(beyond)


def _looks_latin(text: str) -> bool:
    """Whether at most a quarter of the letters have accents: more than any Latin script that this encoding can write."""
    beyond = len(BEYOND_ASCII.findall(text))
    return beyond <= 0.25 * (beyond + len(LETTERS.findall(text)))
