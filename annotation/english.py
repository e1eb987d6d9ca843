"""As much English as questions need: number of nouns, a or an, numbers in words. Closed rules, no guessing library.

`singular` is made for comparing and agreeing, not for display: it may cut a name short ("Mercedes").
"""


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
    """The whole number that words or digits say, from 0 to 99 in words ("twenty-one", "a dozen"); None otherwise."""
    text, digits = words.strip().replace("-", " "), words.strip().replace(",", "")
    if digits.isascii() and digits.isdigit():
        return int(digits)
    if text in ("dozen", "a dozen"):
        return 12
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
