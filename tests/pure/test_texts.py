"""Text in any encoding and with any ends of lines gives the same rows; what would be a guess has to be declared."""

import codecs
import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.sources.faults import BadEncoding, FileFault, NotRows, Problem, Truncated, Unreadable
from annotation.sources.records import described
from annotation.sources.rows import Record
from annotation.sources.texts import DECLARABLE, MOST_LINE, Text, line_blocks, text_of
from tests.files_read import GOOD, fields, lines, places, read

CHINESE = {"image": "图片/甲.jpg", "question": "红色的水壶在桌子的左边还是右边？", "answer": "左边"}
FRENCH = {"image": "café.jpg", "question": "Où est la théière à côté de la fenêtre ?", "answer": "près du mur"}
MARKS = {"utf-8": codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}


def written(*rows: dict[str, str], encoding: str, newline: str = "\n") -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + newline for row in rows).encode(encoding)


@pytest.mark.parametrize("encoding", MARKS)
@pytest.mark.parametrize("marked", [True, False])
def test_unicode_is_found_with_and_without_its_mark(tmp_path: Path, encoding: str, marked: bool) -> None:
    content = MARKS[encoding] * marked + written(CHINESE, FRENCH, encoding=encoding)
    assert fields(read(tmp_path, content)) == [CHINESE, FRENCH]
    about = described(tmp_path / "rows")
    assert (about.encoding, about.encoding_guessed) == (encoding, False)


@pytest.mark.parametrize(("row", "encoding"), [(CHINESE, "gb18030"), (FRENCH, "cp1252")])
def test_older_encodings_are_found_and_said_to_be_a_guess(tmp_path: Path, row: dict[str, str], encoding: str) -> None:
    assert fields(read(tmp_path, written(row, GOOD, row, encoding=encoding))) == [row, GOOD, row]
    about = described(tmp_path / "rows")
    assert (about.encoding, about.encoding_guessed) == (encoding, True)


@pytest.mark.parametrize(
    ("row", "encoding"),
    [
        (FRENCH, "latin-1"),
        (CHINESE, "GBK"),
        (CHINESE, "utf-16"),
        ({"question": "Где красный чайник?"}, "windows-1251"),
        ({"question": "赤いやかんはどこですか"}, "shift_jis"),
        ({"question": "빨간 주전자는 어디에 있습니까"}, "euc-kr"),
    ],
)
def test_what_is_declared_is_believed(tmp_path: Path, row: dict[str, str], encoding: str) -> None:
    assert fields(read(tmp_path, written(row, encoding=encoding), encoding=encoding)) == [row]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Где красный чайник на большом столе?", "cp1251"),
        ("赤いやかんはどこにありますか", "shift_jis"),
        ("赤いやかんはどこにありますか", "euc_jp"),
        ("빨간 주전자는 어디에 있습니까", "euc-kr"),
        ("紅色的水壺在桌子的左邊還是右邊", "big5"),
    ],
)
def test_what_would_be_a_wrong_guess_has_to_be_declared(tmp_path: Path, text: str, encoding: str) -> None:
    with pytest.raises(BadEncoding, match="declare it"):
        read(tmp_path, written({"q": text}, {"q": text}, encoding=encoding))


@pytest.mark.parametrize("name", ["utf-7", "rot13", "idna", "base64", "unicode_escape", "no such thing"])
def test_only_listed_encodings_can_be_declared(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadEncoding, match="choose one of utf-8"):
        read(tmp_path, lines(GOOD), encoding=name)


def test_a_mark_that_contradicts_what_was_declared_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(BadEncoding, match="mark of utf-16-le, but utf-8"):
        read(tmp_path, codecs.BOM_UTF16_LE + written(GOOD, encoding="utf-16-le"), encoding="utf-8")
    with pytest.raises(BadEncoding, match="UTF-32"):
        read(tmp_path, written(GOOD, encoding="utf-32"))


def test_broken_bytes_in_a_text_of_utf_8_reject_their_row_and_no_other(tmp_path: Path) -> None:
    broken = b'{"question": "a\xff\xfeb"}\n'
    first, found, last = read(tmp_path, written(CHINESE, encoding="utf-8") + broken + written(FRENCH, encoding="utf-8"))
    assert fields([first, last]) == [CHINESE, FRENCH]
    assert isinstance(found, Problem)
    assert (found.line, found.reason) == (2, "The row holds bytes that do not decode.")
    assert found.value == '{"question": "a\\udcff\\udcfeb"}'


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16-le"])
def test_bytes_that_are_not_of_the_declared_encoding_reject_their_row(tmp_path: Path, encoding: str) -> None:
    half = b"\x00\xd8" if encoding == "utf-16-le" else b"\xff\xff"
    bad = '{"q": "'.encode(encoding) + half + '"}\n'.encode(encoding)
    content = written(CHINESE, encoding=encoding) + bad + written(CHINESE, encoding=encoding)
    found = read(tmp_path, content, encoding=encoding)
    assert [type(one) for one in found] == [Record, Problem, Record]
    assert found[1].line == 2


def test_broken_bytes_inside_a_list_reject_their_row_and_no_other(tmp_path: Path) -> None:
    rows = [json.dumps(CHINESE, ensure_ascii=False).encode(), b'{"question": "a\xffb"}', b'{"question": "c"}']
    found = read(tmp_path, b"[\n" + b",\n".join(rows) + b"\n]")
    assert [type(one) for one in found] == [Record, Problem, Record]
    assert places(found) == [2, 3, 4]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "gb18030"])
def test_any_end_of_line_counts_as_one_line(tmp_path: Path, newline: str, encoding: str) -> None:
    content = written(CHINESE, GOOD, CHINESE, encoding=encoding, newline=newline)
    found = read(tmp_path, content, encoding=encoding)
    assert fields(found) == [CHINESE, GOOD, CHINESE]
    assert places(found) == [1, 2, 3]


def test_ends_of_lines_may_be_mixed_and_blank_lines_are_counted(tmp_path: Path) -> None:
    one = json.dumps(GOOD)
    assert places(read(tmp_path, f"\n{one}\r\n\r\n{one}\r{one}\n \t\n\r{one}".encode())) == [2, 4, 5, 8]


def test_only_ends_of_lines_end_a_line(tmp_path: Path) -> None:
    row = {"question": "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg"}
    text = '{"question": "a\u2028b\u2029c\x85d\\u000be\\u000cf\\u001cg"}\n'
    assert fields(read(tmp_path, text.encode() * 2)) == [row, row]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_half_a_character_at_the_end_means_a_cut_file(tmp_path: Path, encoding: str) -> None:
    content = MARKS[encoding] + written(GOOD, GOOD, encoding=encoding)
    with pytest.raises(Truncated, match="middle of a character"):
        read(tmp_path, content[:-1])


def test_text_of_utf_8_that_is_cut_inside_a_character_is_a_cut_file(tmp_path: Path) -> None:
    content = written(CHINESE, CHINESE, encoding="utf-8")
    with pytest.raises(Truncated, match="line 2"):
        read(tmp_path, content[: content.rindex("左".encode()) + 1])


def test_marks_of_files_that_were_put_end_to_end_do_no_harm(tmp_path: Path) -> None:
    assert fields(read(tmp_path, (codecs.BOM_UTF8 + lines(GOOD)) * 2)) == [GOOD, GOOD]


def test_binary_data_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(NotRows, match="binary"):
        read(tmp_path, bytes(range(256)) * 4)


@pytest.mark.parametrize(("mishaps", "binary"), [(1, False), (4, False), (5, True)])
def test_a_few_control_characters_are_mishaps_of_a_text_and_many_mean_data(tmp_path: Path, mishaps: int, binary: bool) -> None:
    path = tmp_path / "rows"
    path.write_bytes(b"image,question\na.jpg,What" + b"\x08" * mishaps + b"?\n")
    with pytest.raises(NotRows, match="binary") if binary else contextlib.nullcontext():
        text_of(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="nowhere"):
        text_of(tmp_path / "nowhere")


@given(
    rows=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), min_size=1, max_size=5),
    encoding=st.sampled_from(["utf-8", "utf-16-le", "utf-16-be", "gb18030"]),
    newline=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_all_text_comes_back_from_every_encoding_that_can_write_it(
    tmp_path_factory: pytest.TempPathFactory, rows: list[str], encoding: str, newline: str
) -> None:
    content = written(*({"q": row.replace("\x00", "")} for row in rows), encoding=encoding, newline=newline)
    found = read(tmp_path_factory.mktemp("text"), content, encoding=encoding)
    assert fields(found) == [{"q": row.replace("\x00", "")} for row in rows]


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=20), max_size=8), st.integers(0, 12))
def test_lines_are_whole_wherever_the_blocks_of_a_file_end(blocks: list[str], after: int) -> None:
    expected = "".join(blocks).split("\n")
    found = [(first + place, line) for first, group, _ in line_blocks(blocks, after) for place, line in enumerate(group)]
    wanted = [(number, line) for number, line in enumerate(expected, 1) if number > after]
    assert found == (wanted if not wanted or wanted[-1][1] else wanted[:-1])


@given(st.binary(max_size=300), st.sampled_from([None, *DECLARABLE]))
def test_any_bytes_are_either_text_or_a_fault(tmp_path_factory: pytest.TempPathFactory, content: bytes, declared: str) -> None:
    path = tmp_path_factory.mktemp("text") / "rows"
    path.write_bytes(content)
    with contextlib.suppress(FileFault):
        assert isinstance("".join(text_of(path, declared).blocks()), str)


def test_a_line_without_end_does_not_fill_the_memory() -> None:
    class Endless:
        taken = 0

        def __iter__(self) -> "Endless":
            return self

        def __next__(self) -> str:
            self.taken += 1
            if self.taken > 200:
                raise StopIteration
            return "x" * 100_000 + "\n" * (self.taken == 150)

    ((first, (cut,), ended), (second, (rest,), open_end)) = line_blocks(Endless())
    assert (first, ended, second, open_end) == (1, True, 2, False)
    assert MOST_LINE < len(cut) <= MOST_LINE + 100_001
    assert len(rest) == MOST_LINE + 1


def test_the_text_of_a_file_knows_where_it_was_found(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_bytes(codecs.BOM_UTF8 + b"a")
    assert text_of(path) == Text(path, "utf-8", mark=3)
