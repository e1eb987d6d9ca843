"""When two answers are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.questions.answers import aliases, normalised, same_answer

ANSWERS = st.text(st.sampled_from("ab AsE12,.-'()é和") | st.characters(codec="utf-8"), max_size=20) | st.sampled_from(
    [
        "a wine glass",
        "the wine glasses",
        "5 cm",
        "$5",
        "Yes, it is",
        "a hundred and five",
        "25 °C",
        "red in color",
        "dozens",
        "3 or three",
        "10.0.0.1",
        ".50",
        "Twenty-One dogs",
        "grey",
        "yellow and blue",
        "its paws",
        "B. red",
        "1,000",
        "-5",
    ]
)


@given(ANSWERS)
def test_normalising_twice_changes_nothing(answer: str) -> None:
    assert normalised(normalised(answer)) == normalised(answer)


@given(ANSWERS)
def test_an_answer_with_something_in_it_is_the_same_as_itself(answer: str) -> None:
    assert same_answer(answer, answer) == bool(normalised(answer))


@given(ANSWERS, ANSWERS)
def test_order_does_not_matter_where_nothing_lists_alternatives(first: str, second: str) -> None:
    if len(aliases(first)) < 2 and len(aliases(second)) < 2:
        assert same_answer(first, second) == same_answer(second, first)


# One pair after another: what is given | the reference.
SAME = """
2|two;Two|2;2 dogs|2;two dogs|2 dogs;zero|0;twenty-one|21;Twenty one people|21;a dozen|12;half a dozen|6;two dozen|24;
two dozen eggs|24 eggs;a hundred|100;one hundred|100;100|hundred;a hundred and five|105;one hundred five|105;ninety-nine|99;
two hundred and thirty-one|231;a thousand|1000;twelve thousand three hundred|12,300;nine hundred ninety-nine thousand|999000;
seventeen|17;eleven cars|11;forty|40;1,000|1000;2.0|2;2.50|2.5;.5|0.5;−5|-5;12.|12;
wine glass|a wine glass;A|a;A wine glass.|the wine glasses;oar|oars;paw|its paw;people|person;two women|2;children|a child;
grey|gray;Light Grey|light gray;pale pink|light pink;wooden|wood;violet|purple;golden|gold;navy blue|navy;aqua|cyan;
red in colour|red;red coloured|red;dark blue color|dark blue;the colour|the color;fuchsia|magenta;silvery|silver;
blonde|blond;centre|center;tyre|tires;doughnuts|donut;aluminium|aluminum;
yellow-green|yellow green;yellow and blue|blue and yellow;yellow, blue|blue & yellow;T-shirt|t shirt;red, white and blue|blue, red and white;
nine|9 or nine;9|9 or nine;IX|9 or nine or IX;trick or treat|Trick or Treat;red|either red or blue;
  RED |red;“stop”|STOP;STOP!|"stop";１２|12;ｂｕｓ|bus;ﬁsh|fish;红色。|红色;(left)|left;
it is red|red;It's red.|red;they are red|red;there are 3|3;There are three dogs.|3;the answer is B|b;
yes|Yes.;Yes, it is.|yes;yeah|yes;no|No, there are none;nope|no;No.|no;
5cm|5 cm;5 centimetres|5 cm;five centimeters|5cm;40%|40 percent;40 per cent|40%;40|40%;forty percent|40 %;$5|5 dollars;
£5|5 pounds;5 lbs|5 pounds;€3.50|3.5 euros;25°C|25 degrees Celsius;25℃|25 °C;3 h|3 hours;3 hrs|three hours;10 km/h|10 kph;
2 litres|2l;6 feet|6 ft;6|6 ft;30 mph|30 miles per hour;90 degrees|90°;one metre|1 m;7 in|7 inches
"""
DIFFERENT = """
blue|light blue;light blue|dark blue;left|right;1|2;1 or 2|2;red or blue|red;7|007;-5|5;2 cats|2 dogs;12|1;|;
 . |red;a|the;not red|red;first|1;1st|1;half a mile|6;shiny color|shiny;second|2;3rd|3;a couple|2;couple|two;several|7;a few|3;about 5|5;dozens|12;
hundreds|100;thousands|1000;none|0;nothing|0;no|0;true|yes;false|no;yes|no;no parking|no;no entry|no;yes man|yes;
5 cm|5 mm;5 cm|5 in;1 m|100 cm;1 h|60 min;$5|€5;40%|0.4;25°C|25°F;5 cm|6 cm;
10.0.0.1|10.1;1.5|15;.5|5;1.05|1.5;2.5|2;1000|100;twenty|2;one hundred five|1005;six|seven;a hundred|1000;
teal|blue;pink|red;navy|blue;gold|yellow;gray|silver;maroon|red;color|red;multicoloured|red;
bus|car;glass|glasses case;dog|hot dog;wood|wood table;men|women;trick|Trick or Treat;5|at least 5;
red and blue|red;red|red and blue;north|south;up|down;B|cotton;O|0;l|1;open|closed
"""


def pairs(listed: str) -> list[tuple[str, ...]]:
    return [tuple(pair.split("|")) for pair in listed.replace("\n", "").split(";")]


@pytest.mark.parametrize(("given_answer", "reference"), pairs(SAME))
def test_what_means_the_same_is_the_same(given_answer: str, reference: str) -> None:
    assert same_answer(given_answer, reference)


@pytest.mark.parametrize(("given_answer", "reference"), pairs(DIFFERENT))
def test_what_may_mean_something_else_is_not_the_same(given_answer: str, reference: str) -> None:
    assert not same_answer(given_answer, reference)


def test_the_tables_are_as_long_as_they_are_meant_to_be() -> None:
    assert len(set(pairs(SAME))) == len(pairs(SAME)) > 90
    assert len(set(pairs(DIFFERENT))) == len(pairs(DIFFERENT)) > 70


@pytest.mark.parametrize(("given_answer", "reference"), [pair for pair in pairs(SAME) if " or " not in pair[1].lower()])
def test_what_is_the_same_is_so_both_ways(given_answer: str, reference: str) -> None:
    assert same_answer(reference, given_answer)


@given(st.integers(0, 999_999))
def test_a_number_in_words_is_the_number_in_digits(number: int) -> None:
    assert same_answer(in_words(number), str(number))
    assert same_answer(in_words(number).replace(" and ", " "), f"{number:,} things")


@given(st.integers(0, 2000), st.integers(0, 2000))
def test_different_numbers_in_words_are_different(first: int, second: int) -> None:
    assert same_answer(in_words(first), in_words(second)) == (first == second)


def in_words(number: int) -> str:
    """A number as a person would say it; written apart from the code that reads it."""
    small = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ]
    tens = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    if number >= 1000:
        rest = number % 1000
        said = in_words(number // 1000) + " thousand"
        return f"{said}{' and' if 0 < rest < 100 else ''} {in_words(rest)}" if rest else said
    if number >= 100:
        return small[number // 100] + " hundred" + (" and " + in_words(number % 100) if number % 100 else "")
    if number >= 20:
        return tens[number // 10] + ("-" + small[number % 10] if number % 10 else "")
    return small[number]


OPTIONS = ("rubber", "cotton", "kevlar", "leather")


@pytest.mark.parametrize("letter", ["B", "b", "(B)", "B.", "B)", "[B]", "option B", "B. cotton", "(B) Cotton", "cotton"])
def test_a_letter_stands_for_its_option(letter: str) -> None:
    assert same_answer(letter, "cotton", options=OPTIONS)
    assert same_answer("cotton", letter, options=OPTIONS)
    assert not same_answer(letter, "A", options=OPTIONS)


@pytest.mark.parametrize("answer", ["E", "B. cereus", "b or c"])
def test_a_letter_without_its_option_stands_for_itself(answer: str) -> None:
    assert not same_answer(answer, "cotton", options=OPTIONS)


def test_without_options_a_letter_is_a_letter() -> None:
    assert same_answer("b", "B")
    assert not same_answer("B", "cotton")


def test_aliases_come_once_and_in_order() -> None:
    assert aliases("9 or nine or IX") == ("9 or nine or ix", "9", "ix")


@pytest.mark.parametrize(
    "long",
    ["9" * 5000, "red" + " " * 100_000 + "car", "red, " * 5000, "1." * 20_000, "yes, it" + "!" * 50_000, '"' * 50_000 + "x"],
)
def test_a_very_long_answer_is_compared_in_time(long: str) -> None:
    assert same_answer(long, long)
    assert not same_answer(long, "blue")
