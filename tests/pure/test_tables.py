"""Tables of delimited text: every cell comes back as it was written, and what is not a table is refused with its line."""

import contextlib
import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.sources.faults import EmptyFile, FileFault, NotRows, Problem, Truncated, WrongLayout
from annotation.sources.records import described, records
from annotation.sources.rows import Record
from tests.files_read import fields, places, read

ROW = {"image": "a.jpg", "question": "What is red?", "answer": "the kettle"}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_the_delimiter_is_found(tmp_path: Path, delimiter: str, newline: str) -> None:
    text = newline.join(delimiter.join(cells) for cells in (ROW, ROW.values(), ROW.values())) + newline
    assert fields(read(tmp_path, text.encode())) == [ROW, ROW]
    about = described(tmp_path / "rows")
    assert (about.form, about.delimiter) == ("tsv" if delimiter == "\t" else "csv", delimiter)
    assert (about.columns, about.rows_hint, about.rows_exact) == (tuple(ROW), 2, True)


def test_commas_inside_sentences_do_not_outvote_the_delimiter(tmp_path: Path) -> None:
    text = "image;question\na.jpg;Red, green, or blue?\nb.jpg;Left, or right, or both?\n"
    assert fields(read(tmp_path, text.encode()))[0] == {"image": "a.jpg", "question": "Red, green, or blue?"}


def test_cells_in_quotes_hold_delimiters_quotes_and_line_breaks(tmp_path: Path) -> None:
    text = 'image,question\na.jpg,"Is it ""red"",\r\nor\rblue?"\n\nb.jpg,"x"\n'
    found = read(tmp_path, text.encode())
    assert fields(found) == [
        {"image": "a.jpg", "question": 'Is it "red",\r\nor\rblue?'},
        {"image": "b.jpg", "question": "x"},
    ]
    assert places(found) == [2, 6]


def test_rows_with_other_numbers_of_cells_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, b"a,b,c\n1,2,3\n1,2\n1,2,3,4\n1,2,3\n")
    assert [type(one) for one in found] == [Record, Problem, Problem, Record]
    assert [(one.line, one.reason) for one in found if isinstance(one, Problem)] == [
        (3, "The row has 2 cells, the header has 3."),
        (4, "The row has 4 cells, the header has 3."),
    ]


def test_nul_and_bytes_that_do_not_decode_reject_their_row(tmp_path: Path) -> None:
    sound = "café,x\n".encode() * 5
    found = read(tmp_path, b"a,b\n" + sound + b"\x00,x\n\xff,x\n" + sound)
    assert [(one.line, one.reason) for one in found if isinstance(one, Problem)] == [
        (7, "The row holds a NUL character."),
        (8, "The row holds bytes that do not decode."),
    ]
    assert len(found) == 12


def test_columns_without_a_name_are_named_after_their_place(tmp_path: Path) -> None:
    assert fields(read(tmp_path, b",image , question\n0,a.jpg,Q?\n")) == [{"column_1": "0", "image": "a.jpg", "question": "Q?"}]


@pytest.mark.parametrize(
    ("content", "fault", "reason"),
    [
        (b"image,question,image\na,b,c\n", WrongLayout, "Two columns have the name 'image'"),
        (b"1,2\n3,4\n", WrongLayout, "needs a first row with the names"),
        (b"a\x00,b\nc,d\n", WrongLayout, "cannot be stored"),
        (b"a,b\n", EmptyFile, "no row"),
        (b"a,b\n\n\n", EmptyFile, "no row"),
        (b"a,b\n1\n2\n", WrongLayout, "No row has as many cells"),
        (b'a,b\n1,2\n3,"open\n4,5\n', Truncated, "inside a cell in quotes, in the row of line 3"),
        (b"a,b,c\n1,2,3\n1,2", Truncated, "middle of line 3"),
        (b'a,b\n1,"x"y\n3,4\n', NotRows, "row of line 2 cannot be taken apart"),
        (b'a,b\n1,"' + b"x" * 200_000 + b'"\n', NotRows, "row of line 2 cannot be taken apart"),
        (b"a,b\n1,2\n" + b"x" * (3 << 20), NotRows, "Line 3 is longer than 1024 KiB"),
    ],
)
def test_what_is_no_whole_table_is_refused(tmp_path: Path, content: bytes, fault: type[FileFault], reason: str) -> None:
    with pytest.raises(FileFault, match=reason) as refusal:
        read(tmp_path, content)
    assert type(refusal.value) is fault


def test_a_form_that_is_given_stands_above_what_is_found(tmp_path: Path) -> None:
    assert fields(read(tmp_path, b"a,b\tc\n1,2\t3\n", form="tsv")) == [{"a,b": "1,2", "c": "3"}]
    assert fields(read(tmp_path, b"question\nWhat?\n", form="csv")) == [{"question": "What?"}]


@pytest.mark.parametrize("after", [0, 1, 2, 4, 5, 6])
def test_reading_goes_on_after_a_line(tmp_path: Path, after: int) -> None:
    found = read(tmp_path, b'a,b\n1,2\n3,"4\n\n5"\n6,7\n', after=after)
    assert places(found) == [line for line in (2, 3, 6) if line > after]


# Few other control characters make a short file binary: see test_texts.
cells = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\t\n\r\x1b"), max_size=12)


@settings(deadline=None)
@given(
    rows=st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=6),
    delimiter=st.sampled_from(",;\t|"),
    newline=st.sampled_from(["\n", "\r\n", "\r"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "gb18030"]),
)
def test_every_cell_comes_back_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]], delimiter: str, newline: str, encoding: str
) -> None:
    sheet = io.StringIO(newline="")
    writer = csv.writer(sheet, delimiter=delimiter, lineterminator=newline, quoting=csv.QUOTE_ALL)
    writer.writerows([("image", "question", "answer"), *rows])
    path = tmp_path_factory.getbasetemp() / "cells"
    path.write_bytes(sheet.getvalue().encode(encoding))
    found = fields(list(records(path, encoding="gb18030" if encoding == "gb18030" else None)))
    assert [tuple(row.values()) for row in found] == rows


@given(st.binary(max_size=200))
def test_any_bytes_below_a_header_are_either_refused_or_read(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    for start in (b"a,b\n", b'a\tb\n1\t"', b"a;b\n1;2\n"):
        with contextlib.suppress(FileFault):
            assert read(tmp_path_factory.getbasetemp(), start + content, form="csv")
