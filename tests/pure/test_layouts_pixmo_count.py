"""PixMo-Count: questions made of labels, answers made of counts, points as evidence."""

import pytest

from annotation.questions.grammar import parse
from annotation.sources.faults import WrongLayout
from annotation.sources.layouts import Options, reading
from annotation.sources.layouts.pixmo_count import DEFAULT, TEMPLATES, plural_label
from annotation.sources.rows import Row, Wanted
from tests.rows_read import EXAMPLES, one_problem, one_row, parted, read

KITES = {
    "image_url": "https://example.org/p/kites.jpg",
    "image_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "count": 3,
    "points": {"x": [102.5, 410.0, 690.2], "y": [88.0, 131.4, 97.7]},
    "label": "kites",
}


def test_the_example_file_is_read() -> None:
    rows, problems, _ = parted(read("pixmo_count.jsonl", "pixmo-count"))
    assert rows[0] == Row(
        line=1,
        image=Wanted("https://example.org/p/kites.jpg", KITES["image_sha256"]),  # type: ignore[arg-type]
        question="How many kites are there?",
        answers=("3",),
        points=((102.5, 88.0), (410.0, 131.4), (690.2, 97.7)),
        family="count",
        template=DEFAULT,
    )
    assert [row.question for row in rows[1:]] == [
        "How many people with an umbrella are there?",
        "How many sheep are there?",
        "How many TVs are there?",
    ]
    assert rows[1].extra == {"label": "person with an umbrella"}
    assert [(one.line, one.field) for one in problems] == [(5, "points"), (6, "image_url")]


def test_two_rows_may_name_one_address() -> None:
    first, second, *_ = parted(read("pixmo_count.jsonl", "pixmo-count"))[0]
    assert first.image == second.image


@pytest.mark.parametrize("points", [None, {"x": [], "y": []}])
def test_evaluation_rows_have_no_points(points: object) -> None:
    row = one_row("pixmo-count", {**KITES, "points": points})
    assert (row.points, row.answers) == ((), ("3",))
    del (fields := dict(KITES))["points"]
    assert one_row("pixmo-count", fields).points == ()


def test_zero_is_an_answer() -> None:
    assert one_row("pixmo-count", {**KITES, "count": 0, "points": None}).answers == ("0",)


def test_points_may_come_as_pairs() -> None:
    row = one_row("pixmo-count", {**KITES, "count": 1, "points": [{"x": 1, "y": 2}]})
    assert row.points == ((1.0, 2.0),)


def test_a_count_that_is_not_the_number_of_points_is_refused_since_it_contradicts_its_evidence() -> None:
    found = one_problem("pixmo-count", {**KITES, "count": 4})
    assert (found.field, found.value) == ("points", "3")
    assert "The count is 4, but there are 3 points." in found.reason


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"count": "3"}, "count"),
        ({"count": 2.5}, "count"),
        ({"count": -1}, "count"),
        ({"count": True}, "count"),
        ({"count": None}, "count"),
        ({"points": {"x": [1.0], "y": []}}, "points"),
        ({"points": {"x": [1.0, 2.0, float("nan")], "y": [1.0, 2.0, 3.0]}}, "points"),
        ({"points": {"x": [1.0, 2.0, -3.0], "y": [1.0, 2.0, 3.0]}}, "points"),
        ({"points": "1,2"}, "points"),
        ({"label": " "}, "label"),
        ({"label": None}, "label"),
        ({"image_sha256": "9f86"}, "image_sha256"),
        ({"image_url": "images/kites.jpg"}, "image_url"),
        ({"image_url": "https://"}, "image_url"),
        ({"image_url": "https://ann:secret@example.org/a.jpg"}, "image_url"),
        ({"image_url": "https://example.org/a b.jpg"}, "image_url"),
        ({"image_url": "https://[::1/a.jpg"}, "image_url"),
        ({"image_url": "file:///etc/passwd"}, "image_url"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_its_field(change: dict[str, object], field: str) -> None:
    assert one_problem("pixmo-count", {**KITES, **change}).field == field


def test_the_hash_and_the_scheme_are_written_in_small_letters() -> None:
    change = {"image_sha256": KITES["image_sha256"].upper(), "image_url": "HTTPS://example.org/A.jpg"}  # type: ignore[attr-defined]
    image = one_row("pixmo-count", {**KITES, **change}).image
    assert image == Wanted("https://example.org/A.jpg", KITES["image_sha256"])  # type: ignore[arg-type]
    assert image.is_address


def test_several_wordings_are_made_only_where_they_are_asked_for() -> None:
    chosen = ("what-is-the-number-1", "how-many-are-visible-1")
    rows = parted(read("pixmo_count.jsonl", "pixmo-count", Options(templates=chosen)))[0][:2]
    assert [row.template for row in rows] == list(chosen)
    assert [row.question for row in rows] == ["What is the number of kites in the picture?", "How many kites are visible?"]


def test_a_wording_that_is_not_there_is_refused_before_anything_is_read() -> None:
    with pytest.raises(WrongLayout, match="how-many-are-there-1"):
        reading(EXAMPLES / "pixmo_count.jsonl", "pixmo-count", Options(templates=("how-many-9",)))


def test_wordings_carry_their_version() -> None:
    for template, wording in TEMPLATES.items():
        assert template.rpartition("-")[2].isdecimal()
        assert wording.count("{labels}") == 1


def test_the_default_wording_is_one_that_edits_can_be_made_of() -> None:
    assert parse(TEMPLATES[DEFAULT].format(labels="kites")) is not None


@pytest.mark.parametrize(
    ("label", "counted"),
    [
        ("kite", "kites"),
        ("kites", "kites"),
        ("Kite", "kites"),
        ("a kite", "kites"),
        ("the red kite", "red kites"),
        ("person", "people"),
        ("people", "people"),
        ("man", "men"),
        ("women", "women"),
        ("fireman", "firemen"),
        ("bus", "buses"),
        ("glass", "glasses"),
        ("wine glass", "wine glasses"),
        ("box", "boxes"),
        ("cherry", "cherries"),
        ("toy", "toys"),
        ("knife", "knives"),
        ("sheep", "sheep"),
        ("scissors", "scissors"),
        ("fish", "fish"),
        ("TV", "TVs"),
        ("TVs", "TVs"),
        ("Jeep", "Jeeps"),
        ("person with an umbrella", "people with an umbrella"),
        ("bird on the wire", "birds on the wire"),
        ("people wearing a hat", "people wearing a hat"),
        ("chess piece", "chess pieces"),
        ("potato", "potatoes"),
        ("cacti", "cacti"),
        ("number of birds", "birds"),
        ("bird (flying)", "birds (flying)"),
        ("piece of cake", "pieces of cake"),
        ("  red   balloon. ", "red balloons"),
    ],
)
def test_a_label_of_one_thing_is_asked_about_in_the_plural(label: str, counted: str) -> None:
    assert plural_label(label) == counted
