"""The address of a licence, for those who read by machine. Pure."""

import re

COMMONS = re.compile(r"CC-(BY(?:-NC)?(?:-SA|-ND)?)-([1-4]\.[05])(?:-([A-Z]{2,3}))?")
DEDICATIONS = {"CC0-1.0": "zero/1.0", "CC-PDM-1.0": "mark/1.0"}
STATEMENT = re.compile(
    r"https?://((?:creativecommons\.org/(?:licenses|publicdomain)|rightsstatements\.org/vocab)/[A-Za-z0-9./-]{1,60})"
)


def licence_uri(licence: str) -> str:
    """The URI of a Creative Commons licence (SPDX) or of a rights statement; "" for all others.

    These are the only ones that IIIF lets `rights` name, and it names them with http.
    """
    if licence in DEDICATIONS:
        return f"http://creativecommons.org/publicdomain/{DEDICATIONS[licence]}/"
    if match := COMMONS.fullmatch(licence):
        port = f"{match[3].lower()}/" if match[3] else ""
        return f"http://creativecommons.org/licenses/{match[1].lower()}/{match[2]}/{port}"
    match = STATEMENT.fullmatch(licence)
    return f"http://{match[1]}" if match else ""
