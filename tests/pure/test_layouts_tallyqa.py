"""TallyQA: whole counts from 0 to 15, four image folders, a field that may be missing."""

import pytest

from annotation.sources.rows import Row, Wanted
from tests.rows_read import one_problem, one_row, parted, read

AWNING = {
    "answer": 2,
    "data_source": "amt",
    "image": "VG_100K/2301122.jpg",
    "image_id": 92301122,
    "issimple": False,
    "question": "How many people are sitting under the awning?",
    "question_id": 30011223,
}


def test_the_example_file_is_read() -> None:
    rows, problems, _ = parted(read("tallyqa.json", "tallyqa"))
    assert rows[0] == Row(
        line=2,
        image=Wanted("VG_100K/2301122.jpg"),
        question="How many people are sitting under the awning?",
        answers=("2",),
        key="30011223",
        family="count",
        extra={"image_id": "92301122", "issimple": False, "data_source": "amt"},
    )
    assert [row.answers for row in rows] == [("2",), ("0",), ("15",)]
    assert [(one.line, one.field, one.value) for one in problems] == [
        (5, "answer", "16"),
        (6, "image", "test2015/COCO_test2015_000000000001.jpg"),
        (7, "answer", "2"),
    ]


def test_where_nobody_said_whether_a_question_is_simple_it_is_not_known() -> None:
    for fields in (
        {**AWNING, "issimple": -1},
        {**AWNING, "issimple": None},
        {k: v for k, v in AWNING.items() if k != "issimple"},
    ):
        assert "issimple" not in one_row("tallyqa", fields).extra
    assert one_row("tallyqa", {**AWNING, "issimple": True}).extra["issimple"] is True


def test_its_tag_names_no_source_of_ours() -> None:
    row = one_row("tallyqa", {**AWNING, "data_source": "imported_genome"})
    assert row.data_source == ""
    assert row.extra["data_source"] == "imported_genome"


@pytest.mark.parametrize("root", ["train2014", "val2014", "VG_100K", "VG_100K_2", "./VG_100K"])
def test_a_picture_lies_in_one_of_four_folders(root: str) -> None:
    assert one_row("tallyqa", {**AWNING, "image": f"{root}/1.jpg"}).image == Wanted(f"{root.removeprefix('./')}/1.jpg")


@pytest.mark.parametrize("image", ["VG_100K_3/1.jpg", "1.jpg", "VG_100K", "/VG_100K/1.jpg", "VG_100K/../1.jpg", "vg_100k/1.jpg"])
def test_a_picture_elsewhere_is_refused(image: str) -> None:
    assert one_problem("tallyqa", {**AWNING, "image": image}).field == "image"


@pytest.mark.parametrize("answer", [-1, 16, 2.5, "2", "two", None, True, [2]])
def test_an_answer_that_is_no_count_up_to_fifteen_is_refused(answer: object) -> None:
    assert one_problem("tallyqa", {**AWNING, "answer": answer}).field == "answer"


@pytest.mark.parametrize("issimple", ["true", 2, "-1"])
def test_simple_is_a_truth_or_nothing(issimple: object) -> None:
    assert one_problem("tallyqa", {**AWNING, "issimple": issimple}).field == "issimple"
