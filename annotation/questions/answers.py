"""When are two answers the same? One rule for settling votes, for reference checks and for scoring.

`normalised` gives the key that is compared. It folds away what people and models write differently without meaning
anything different:

- case, blanks, compatibility forms (NFKC), punctuation at the edges, hyphens between words;
- articles and possessives in front ("a wine glass", "its paw");
- the plural ("oars", "an oar"), so a count is compared by its number, never by its noun;
- numbers in words from zero to ninety-nine, a dozen, thousands separators, trailing zeros ("2.0");
- British and American spelling (grey, colour), "pale" for "light", adjectives of material (wooden, woollen);
- the order of listed things ("blue and yellow", "yellow, blue").

It keeps what may matter: shades ("light blue" is not "blue"), left and right, negation, units.
"""

import re
import unicodedata
from collections.abc import Sequence

from annotation import english
from annotation.questions.options import chosen_option

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
    "pale": "light",
    "wooden": "wood",
    "woollen": "wool",
    "woolen": "wool",
    "metallic": "metal",
    "leathern": "leather",
}
LEADING = english.wordset("a an the its his her their")
LISTED = re.compile(r"\s*(?:,|&|\band\b)\s*")
ALIASES = re.compile(r"\s+or\s+", re.IGNORECASE)
EDGES = " \t\n.,;:!?\"'`*()[]{}«»“”‘’。，！？、"
HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
DECIMAL = re.compile(r"(-?\d+)\.0+")
NUMBER_AND_NOUN = re.compile(r"(-?\d+(?:\.\d+)?) [^\d]+")


def normalised(answer: str) -> str:
    """The key by which an answer is compared. Applying it twice changes nothing; an empty key means no answer."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", answer).casefold())
    text = THOUSANDS.sub("", text)
    previous = None
    while previous != text:
        previous, text = text, _listed(text)
    return text


def aliases(reference: str) -> tuple[str, ...]:
    """The keys of a reference answer that lists alternatives ("9 or nine"), without repeats, first ones first."""
    keys = (normalised(alias) for alias in (reference, *ALIASES.split(reference)))
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


def _listed(text: str) -> str:
    return " and ".join(sorted(filter(None, (_phrase(part) for part in LISTED.split(text)))))


def _phrase(text: str) -> str:
    words = [SPELLINGS.get(word, word) for word in HYPHEN.sub(" ", text.strip(EDGES)).split()]
    while len(words) > 1 and words[0] in LEADING:
        words = words[1:]
    return DECIMAL.sub(r"\1", english.singular(_with_digits(words)))


def _with_digits(words: list[str]) -> str:
    """Number words at the front as digits: "twenty one dogs" becomes "21 dogs"."""
    for length in (2, 1):
        value = english.number(" ".join(words[:length]))
        if value is not None and not words[0].isdecimal() and len(words) >= length:
            return " ".join([str(value), *words[length:]])
    return " ".join(words)
