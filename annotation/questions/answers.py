"""When are two answers the same? One rule for settling votes, for reference checks and for scoring.

`normalised` gives the key that is compared. What people and models write differently without meaning anything different
is folded away, so these are equal:

- case, blanks, full-width and other compatibility forms (NFKC), kinds of minus, punctuation and quotes at the edges,
  hyphens between words ("T-shirt", "t shirt");
- articles and possessives in front ("a wine glass", "its paw"), and "it is", "there are", "the answer is";
- singular and plural ("oars", "an oar"), so a count is compared by its number, never by its noun;
- numbers in digits and in words, to 999,999 ("twenty-one", "a hundred and five", "two dozen"), with thousands
  separators and trailing zeros ("1,000", "2.0", "2.50");
- a bare number and the same number with a noun or a unit ("2", "2 dogs"; "40", "40 %");
- units spelt out or not, with a blank or without ("5cm", "5 centimetres"; "40%", "40 percent"; "$5", "5 dollars");
- British and American spelling (grey, colour, metres), adjectives of material (wooden, woollen), and these colours:
  violet and purple, golden and gold, silvery and silver, navy blue and navy, aqua and cyan, fuchsia and magenta, "pale"
  for "light", "red in colour", "red coloured" and "red";
- yes and "yes, it is", yeah, yep; no and "no, there are none", nope, nah;
- the order of listed things ("blue and yellow", "yellow, blue");
- with options, a letter and its option's text ("B", "(b)", "option B", "B. red"); a reference's alternatives ("9 or nine").

What may mean something else is kept, so these differ: shades ("light blue", "blue"), left and right, negation, ordinals
("first", "1st" and "1"), vague numbers ("a couple" and "2", "about 5" and "5"), "none" and "0", "true" and "yes",
different units (nothing is converted: "1 m", "100 cm"), leading zeros ("007").
"""

import re
import unicodedata
from collections.abc import Sequence

from annotation import english
from annotation.questions.options import chosen_option
from annotation.questions.units import measured
from annotation.sources.alternatives import alternatives

SPELLINGS = {
    "grey": "gray",
    "greyish": "grayish",
    "colour": "color",
    "colours": "colors",
    "coloured": "colored",
    "centre": "center",
    "aluminium": "aluminum",
    "tyre": "tire",
    "tyres": "tires",
    "fibre": "fiber",
    "storey": "story",
    "theatre": "theater",
    "jewellery": "jewelry",
    "moustache": "mustache",
    "doughnut": "donut",
    "doughnuts": "donuts",
    "blonde": "blond",
    "pale": "light",
    "wooden": "wood",
    "woollen": "wool",
    "woolen": "wool",
    "metallic": "metal",
    "leathern": "leather",
    "golden": "gold",
    "silvery": "silver",
    "violet": "purple",
    "aqua": "cyan",
    "fuchsia": "magenta",
}
COLOURS = english.wordset(
    "red orange yellow green blue purple pink brown black white gray gold silver beige tan maroon navy teal turquoise cyan "
    "magenta cream khaki olive lavender burgundy"
)
LEADING = english.wordset("a an the its his her their")
LISTED = re.compile(r"\s*(?:,|&|\band\b)\s*")
EDGES = " \t\n.,;:!?\"'`*()[]{}«»“”‘’。，！？、"
HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
MINUS = re.compile(r"[−‐‑–](?=\d)")
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
BARE_POINT = re.compile(r"(?<![\d.])\.(?=\d)")
# Not inside longer things such as 10.0.0.1.
FRACTION = re.compile(r"(?<![\w.])(\d+)\.(\d+)(?!\.?\d)")
HUNDRED_AND = re.compile(r"\b(hundred|thousand) and (?=\w)")
INTRODUCED = re.compile(r"(?:it is|it['’]s|this is|they are|they['’]re|there is|there['’]s|there are|the answer is)\s+(?=\S)")
CONFIRMED = re.compile(
    r"(yes|no|yeah|yep|yup|nope|nah)\s*[,.;:!]\s*(?:it|there|they|he|she|this|that|the|you|we|i|both|all)\b.*", re.DOTALL
)
VAGUE = english.wordset("dozens hundreds thousands")  # their singular would be a number
YES_OR_NO = {"yeah": "yes", "yep": "yes", "yup": "yes", "nope": "no", "nah": "no"}
NUMBER_AND_NOUN = re.compile(r"(-?\d+(?:\.\d+)?) [^\d]+")
LONGEST_NUMBER = 9  # words: "nine hundred ninety nine thousand nine hundred ninety nine"


def normalised(answer: str) -> str:
    """The key by which an answer is compared. Applying it twice changes nothing; an empty key means no answer."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", answer).casefold())
    text = " ".join(folded.split())
    previous = None
    while previous != text:
        previous, text = text, _listed(_in_figures(text))
    return text


def aliases(reference: str) -> tuple[str, ...]:
    """The keys of a reference answer that lists alternatives ("9 or nine"), without repeats, first ones first."""
    keys = (normalised(alias) for alias in (reference, *alternatives(reference)))
    return tuple(dict.fromkeys(key for key in keys if key))


def same_answer(given: str, reference: str, *, options: Sequence[str] = ()) -> bool:
    """Whether `given` says what `reference` says. With options, a letter stands for its option ("B", "(B) red").

    Only the reference may list alternatives: an answer that hedges ("red or blue") is not right because one of them
    is. A bare number equals the same number with a noun ("2", "2 dogs"). Without alternatives the order does not
    matter. A blank answer is the same as nothing, not even as another blank. Because of the bare number this is no
    equivalence ("2 dogs", "2", "2 cats"): group votes by what they share with the reference, not by chains.
    """
    key = normalised(_spelt_out(given, options))
    return any(_same_key(key, alias) for alias in aliases(_spelt_out(reference, options)))


def _spelt_out(answer: str, options: Sequence[str]) -> str:
    chosen = chosen_option(answer, options)
    return answer if chosen is None else chosen


def _same_key(first: str, second: str) -> bool:
    if not first or not second:
        return False
    return first == second or _bare_number(first) == second or first == _bare_number(second)


def _bare_number(key: str) -> str:
    match = NUMBER_AND_NOUN.fullmatch(key)
    return match[1] if match else key


def _in_figures(text: str) -> str:
    """Figures written one way, and only the yes of "yes, it is"."""
    text = BARE_POINT.sub("0.", THOUSANDS.sub("", MINUS.sub("-", text)))
    text = HUNDRED_AND.sub(r"\1 ", FRACTION.sub(_without_zeros, text))
    match = CONFIRMED.fullmatch(text.strip(EDGES))
    return match[1] if match else text


def _listed(text: str) -> str:
    return " and ".join(sorted(filter(None, (_phrase(part) for part in LISTED.split(text)))))


def _phrase(text: str) -> str:
    bare = text.strip(EDGES)
    if match := INTRODUCED.match(bare):
        bare = bare[match.end() :]
    words = [SPELLINGS.get(word, word) for word in HYPHEN.sub(" ", bare).split()]
    while len(words) > 1 and words[0] in LEADING:
        words = words[1:]
    phrase = measured(_with_digits(_colour(words)))
    return YES_OR_NO.get(phrase, phrase if phrase in VAGUE else english.singular(phrase))


def _without_zeros(match: re.Match[str]) -> str:
    fraction = match[2].rstrip("0")
    return f"{match[1]}.{fraction}" if fraction else match[1]


def _colour(words: list[str]) -> list[str]:
    """Only the colour of "red in color", "red colored", "navy blue"."""
    if words[-1:] in (["color"], ["colored"]) and len(words) > 1:
        before = words[:-2] if words[-2] == "in" else words[:-1]
        words = before if before and before[-1] in COLOURS else words
    return [*words[:-2], "navy"] if words[-2:] == ["navy", "blue"] else words


def _with_digits(words: list[str]) -> str:
    """Number words at the front as digits: "twenty one dogs" becomes "21 dogs"."""
    for length in range(min(len(words), LONGEST_NUMBER), 0, -1):
        value = english.number(" ".join(words[:length]))
        if value is not None and not words[0].isdecimal():
            return " ".join([str(value), *words[length:]])
    return " ".join(words)
