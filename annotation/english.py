"""As much English as questions need: number of nouns, a or an, numbers in words. Closed rules, no guessing library.

`singular` is made for comparing and agreeing, not for display: it may cut a name short ("Mercedes").
"""

from collections.abc import Callable


def wordlist(listed: str) -> tuple[str, ...]:
    """Words written as running text, so that long lists stay readable."""
    return tuple(listed.split())


def wordset(listed: str) -> frozenset[str]:
    """The same where order does not matter."""
    return frozenset(listed.split())


IRREGULAR = {
    "man": "men",
    "woman": "women",
    "child": "children",
    "person": "people",
    "foot": "feet",
    "tooth": "teeth",
    "mouse": "mice",
    "goose": "geese",
    "knife": "knives",
    "shelf": "shelves",
    "leaf": "leaves",
    "loaf": "loaves",
    "wolf": "wolves",
    "scarf": "scarves",
    "wife": "wives",
    "half": "halves",
    "potato": "potatoes",
    "tomato": "tomatoes",
    "bus": "buses",
    "lens": "lenses",
    "taxi": "taxis",
    "beanie": "beanies",
    "tie": "ties",
    "axe": "axes",
    "cactus": "cactuses",
    "bikini": "bikinis",
}
SINGULAR_OF = {plural: singular for singular, plural in IRREGULAR.items()}

# One form for both numbers, or a plural without a singular.
SAME_IN_BOTH = wordset("sheep deer fish aircraft salmon bison squid series species graffiti")
PLURAL_ONLY = wordset("scissors trousers shorts jeans pants sunglasses goggles clothes stairs binoculars tights leggings pliers")
# Singular nouns that end like a plural.
SINGULAR_IN_S = wordset("news canvas atlas chess tennis christmas lens bus gas glass grass cactus octopus")

AN_DESPITE_CONSONANT = ("hour", "honest", "heir", "honour", "honor")
A_DESPITE_VOWEL = ("uni", "use", "usa", "euro", "one", "ewe", "ute", "ufo")

LONGEST_NUMBER = 18  # digits; what is longer is a code, not a count
UNITS = wordlist(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
TENS = wordlist("twenty thirty forty fifty sixty seventy eighty ninety")


def plural(noun: str) -> str:
    """The plural of a noun phrase: its last word is changed. A plural comes back unchanged."""
    before, last = _split_last(noun)
    if is_plural(last):
        return noun
    return before + _plural_word(last)


def singular(noun: str) -> str:
    """The singular of a noun phrase: its last word is changed. Applying it twice changes nothing."""
    before, last = _split_last(noun)
    while (shorter := _singular_word(last)) != last:
        last = shorter
    return before + last


def is_plural(noun: str) -> bool:
    """Whether the last word of a noun phrase is a plural. Words of one form for both count as singular."""
    last = _split_last(noun)[1].lower()
    return last in PLURAL_ONLY or last in SINGULAR_OF or _singular_word(last) != last


def article(word: str) -> str:
    """The indefinite article that goes before a word: "a" or "an"."""
    lower = word.lower()
    if lower.startswith(AN_DESPITE_CONSONANT):
        return "an"
    if lower.startswith(A_DESPITE_VOWEL):
        return "a"
    return "an" if lower[:1] in "aeiou" and lower[:1] else "a"


def number(words: str) -> int | None:
    """The whole number that words or digits say, in words from 0 to 999,999 ("twenty-one", "a hundred and five",
    "two dozen"); None otherwise. Ordinals ("first") and vague words ("a couple", "several") say no number."""
    digits = words.strip().replace(",", "")
    if digits.isascii() and digits.isdigit():
        return int(digits) if len(digits) <= LONGEST_NUMBER else None
    said = words.strip().replace("-", " ").split()
    if said[:2] == ["half", "a"] and said[2:] == ["dozen"]:
        return 6
    if said[:1] == ["a"] and said[1:2] and said[1] in ("dozen", "hundred", "thousand"):
        said = ["one", *said[1:]]
    if said[-1:] == ["dozen"]:
        times = _below_hundred(said[:-1] or ["one"])
        return None if times is None else 12 * times
    return _below_million(said)


def _below_million(said: list[str]) -> int | None:
    if "thousand" not in said:
        return _below_thousand(said)
    at = said.index("thousand")
    thousands, rest = _below_thousand(said[:at] or ["one"]), _remainder(said[at + 1 :], _below_thousand)
    return None if not thousands or rest is None else 1000 * thousands + rest


def _below_thousand(said: list[str]) -> int | None:
    if "hundred" not in said:
        return _below_hundred(said)
    at = said.index("hundred")
    hundreds, rest = _below_hundred(said[:at] or ["one"]), _remainder(said[at + 1 :], _below_hundred)
    return None if not hundreds or hundreds > 9 or rest is None else 100 * hundreds + rest


def _remainder(said: list[str], below: Callable[[list[str]], int | None]) -> int | None:
    """What follows "hundred" or "thousand": nothing, or a number above zero, with "and" or without."""
    if not said:
        return 0
    return below(said[1:] if said[0] == "and" else said) or None


def _below_hundred(said: list[str]) -> int | None:
    text = " ".join(said)
    if text in UNITS:
        return UNITS.index(text)
    tens, _, unit = text.partition(" ")
    if tens in TENS and unit in ("", *UNITS[1:10]):
        return 20 + 10 * TENS.index(tens) + (UNITS.index(unit) if unit else 0)
    return None


def _split_last(phrase: str) -> tuple[str, str]:
    cut = phrase.rstrip().rfind(" ") + 1
    return phrase[:cut], phrase[cut:]


def _plural_word(word: str) -> str:
    lower = word.lower()
    if lower in IRREGULAR:
        return IRREGULAR[lower]
    if lower.endswith(("man", "woman")) and lower != "human":
        return word[:-2] + "en"
    if lower in SAME_IN_BOTH or lower in PLURAL_ONLY:
        return word
    if lower.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def _singular_word(word: str) -> str:
    lower = word.lower()
    if lower in SINGULAR_OF:
        return SINGULAR_OF[lower]
    if lower.endswith("men") and len(lower) > 4:
        return word[:-2] + "an"
    keeps = lower in SAME_IN_BOTH or lower in PLURAL_ONLY or lower in SINGULAR_IN_S
    if keeps or len(lower) < 4 or not lower.endswith("s") or lower.endswith(("ss", "us", "is")):
        return word
    if lower.endswith("ies") and len(lower) > 4:
        return word[:-3] + "y"
    if lower.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1]
