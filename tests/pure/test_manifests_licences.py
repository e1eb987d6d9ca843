"""The licence table of an image folder: complete, or refused."""

from pathlib import Path

import pytest

from annotation.hashing import sha256_file
from annotation.sources.faults import EmptyFile, FileFault, Unreadable, WrongLayout
from annotation.sources.licences import BadLicence, Licence, read_table

DEMO = Path(__file__).parents[2] / "annotation" / "demo"
HEAD = "file\tauthor\tlicence\n"


def table(tmp_path: Path, text: str) -> dict[str, Licence]:
    path = tmp_path / "LICENSES.tsv"
    path.write_text(text)
    return read_table(path)


def test_every_demo_photo_has_its_author_licence_and_true_hash() -> None:
    known = read_table(DEMO / "LICENSES.tsv")
    assert sorted(known) == sorted(path.name for path in (DEMO / "photos").glob("*.jpg"))
    for name, licence in known.items():
        assert sha256_file(DEMO / "photos" / name) == licence.sha256
    assert known["Picture_0B_by_freespace.jpg"].author == 'Trevor "Freespace"'


def test_columns_may_stand_in_any_order_and_others_are_left_alone(tmp_path: Path) -> None:
    found = table(tmp_path, "licence\twidth\tfile\tauthor\nCC0-1.0\t9\ta.jpg\tAnn\n")
    assert found == {"a.jpg": Licence("Ann", "CC0-1.0")}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", EmptyFile),
        ("file\tlicence\na.jpg\tCC0-1.0\n", WrongLayout),
        ("file,author,licence\na.jpg,Ann,CC0-1.0\n", WrongLayout),
        (HEAD + "a.jpg\t\tCC0-1.0\n", BadLicence),
        (HEAD + "a.jpg\tAnn\n", BadLicence),
        (HEAD + "a.jpg\tAnn\tCC0-1.0\na.jpg\tBen\tCC0-1.0\n", BadLicence),
        ("file\tauthor\tlicence\tsha256\na.jpg\tAnn\tCC0-1.0\tabc\n", BadLicence),
    ],
)
def test_a_table_with_holes_is_refused(tmp_path: Path, text: str, fault: type[FileFault]) -> None:
    with pytest.raises(fault):
        table(tmp_path, text)


def test_a_table_that_is_no_text_or_not_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WrongLayout):
        read_table(tmp_path / "a.tsv")
    with pytest.raises(Unreadable):
        read_table(tmp_path / "none.tsv")
