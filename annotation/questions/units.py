"""Units after a number, however they are written: "5cm", "5 centimetres", "5 cm". Pure. Nothing is converted."""

import re

# symbol: the other ways to write it. Symbols are what is compared, so they are short enough to have no plural.
UNITS = {
    "%": "percent per-cent pct percentage",
    "mm": "millimetre millimeter millimetres millimeters",
    "cm": "centimetre centimeter centimetres centimeters",
    "m": "metre meter metres meters",
    "km": "kilometre kilometer kilometres kilometers kms",
    "in": "inch inches",
    "ft": "foot feet",
    "yd": "yard yards yds",
    "mi": "mile miles",
    "mg": "milligram milligrams milligramme milligrammes",
    "g": "gram grams gramme grammes",
    "kg": "kilogram kilograms kilogramme kilogrammes kilo kilos kgs",
    "oz": "ounce ounces",
    "ml": "millilitre milliliter millilitres milliliters",
    "cl": "centilitre centiliter centilitres centiliters",
    "l": "litre liter litres liters",
    "ms": "millisecond milliseconds msec",
    "s": "second seconds sec secs",
    "min": "minute minutes mins",
    "h": "hour hours hr hrs",
    "km/h": "kph kmh kmph kilometres-per-hour kilometers-per-hour",
    "mph": "miles-per-hour mi/h",
    "hz": "hertz",
    "khz": "kilohertz",
    "mhz": "megahertz",
    "ghz": "gigahertz",
    "px": "pixel pixels",
    "°": "degree degrees deg",
    "°c": "degree-celsius degrees-celsius celsius centigrade degrees-centigrade degrees-c",
    "°f": "degree-fahrenheit degrees-fahrenheit fahrenheit degrees-f",
    "$": "dollar dollars usd us-dollars",
    "€": "euro euros eur",
    # A weight or money: the question says which.
    "pound": "pounds lb lbs £ gbp pounds-sterling",
    "¥": "yen jpy",
}
SYMBOL = {spelt.replace("-", " "): symbol for symbol, others in UNITS.items() for spelt in (symbol, *others.split())}
NUMBER = r"-?\d+(?:\.\d+)?"
MEASURED = re.compile(rf"({NUMBER})\s*({'|'.join(re.escape(one) for one in sorted(SYMBOL, key=len, reverse=True))})")
MONEY = re.compile(rf"(?:us)?([$€£¥])\s*({NUMBER})")


def measured(phrase: str) -> str:
    """A number and its unit as "5 cm"; any other phrase as it is. Small letters are expected.

    Money goes behind ("$5" is "5 $"). A name of a unit alone, or with more than a number before it, is no unit.
    """
    if match := MONEY.fullmatch(phrase):
        return f"{match[2]} {SYMBOL[match[1]]}"
    if match := MEASURED.fullmatch(phrase):
        return f"{match[1]} {SYMBOL[match[2]]}"
    return phrase
