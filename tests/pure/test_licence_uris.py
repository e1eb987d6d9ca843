"""Licences that machines know by an address get it; a word that is none gets nothing."""

import pytest

from annotation.images.licence_uris import licence_uri


@pytest.mark.parametrize(
    ("licence", "uri"),
    [
        ("CC-BY-4.0", "http://creativecommons.org/licenses/by/4.0/"),
        ("CC-BY-NC-SA-2.5", "http://creativecommons.org/licenses/by-nc-sa/2.5/"),
        ("CC-BY-NC-ND-3.0-DE", "http://creativecommons.org/licenses/by-nc-nd/3.0/de/"),
        ("CC0-1.0", "http://creativecommons.org/publicdomain/zero/1.0/"),
        ("CC-PDM-1.0", "http://creativecommons.org/publicdomain/mark/1.0/"),
        ("https://creativecommons.org/licenses/by/4.0/", "http://creativecommons.org/licenses/by/4.0/"),
        ("http://rightsstatements.org/vocab/InC-EDU/1.0/", "http://rightsstatements.org/vocab/InC-EDU/1.0/"),
        ("unknown", ""),
        ("", ""),
        ("MIT", ""),
        ("CC-BY", ""),
        ("CC-BY-SA-ND-4.0", ""),
        ("https://example.org/licenses/by/4.0/", ""),
        ('http://creativecommons.org/licenses/by/4.0/">', ""),
        ("http://creativecommons.org.example/licenses/by/4.0/", ""),
    ],
)
def test_a_licence_has_the_address_that_machines_know(licence: str, uri: str) -> None:
    assert licence_uri(licence) == uri
