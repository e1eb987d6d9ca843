"""Content hashes: the same facts give the same hash, for everybody and for ever."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.hashing import canonical_json, merkle_root, normalised_text, sha256_file, sha256_hex

# The eight inputs and roots of the Certificate Transparency project's own test suite for RFC 6962.
CT_LEAVES = [
    bytes.fromhex(leaf)
    for leaf in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
CT_ROOTS = {
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    5: "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    7: "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}


def test_a_hash_is_the_published_sha256() -> None:
    assert sha256_hex(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_file_hashes_like_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"0123456789" * 300_000)
    assert sha256_file(tmp_path / "large") == sha256_hex(b"0123456789" * 300_000)


@pytest.mark.parametrize("size", CT_ROOTS)
def test_ada_gets_the_roots_that_certificate_transparency_gets(size: int) -> None:
    assert merkle_root(CT_LEAVES[:size]) == CT_ROOTS[size]


def test_the_tree_of_nothing_is_the_hash_of_nothing() -> None:
    assert merkle_root([]) == sha256_hex(b"")


@given(st.lists(st.binary(max_size=4), min_size=1, max_size=20), st.data())
def test_any_change_of_a_leaf_changes_the_root(leaves: list[bytes], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(leaves) - 1))
    changed = [*leaves[:place], leaves[place] + b"!", *leaves[place + 1 :]]
    assert merkle_root(changed) != merkle_root(leaves)
    assert merkle_root([*leaves, b"!"]) != merkle_root(leaves)


def test_an_inner_node_cannot_pass_for_a_leaf() -> None:
    forged = bytes.fromhex(merkle_root([b"a"]) + merkle_root([b"b"]))
    assert merkle_root([forged]) != merkle_root([b"a", b"b"])


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none() | st.booleans()))
def test_the_order_of_keys_does_not_matter(value: dict[str, object]) -> None:
    turned = dict(reversed(value.items()))
    assert canonical_json(turned) == canonical_json(value)


def test_canonical_json_has_no_blanks_and_keeps_letters() -> None:
    assert canonical_json({"b": [1, None, True], "a": "né"}) == '{"a":"né","b":[1,null,true]}'.encode()


@pytest.mark.parametrize("value", [math.nan, math.inf, {"a": [-math.inf]}, "\ud800"])
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    with pytest.raises(ValueError):
        canonical_json(value)


@pytest.mark.parametrize("value", [{1: "a"}, {"a": [{None: 1}]}, {"a": {1, 2}}, b"bytes"])
def test_what_json_has_no_word_for_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        canonical_json(value)


def test_the_same_words_in_other_clothes_are_the_same_text() -> None:
    assert normalised_text("  Ｗhat\u00a0COLOUR\n is the ﬂag? ") == "what colour is the flag?"
    assert normalised_text("Straße") == normalised_text("STRASSE")


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalised_text(normalised_text(text)) == normalised_text(text)
