"""Addresses of the IIIF Image API 3: each form means one rectangle and one size, and has one canonical name."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.images import iiif, tiling

side = st.integers(1, 20_000)
LARGE, SMALL = (12_000, 8_400), (300, 200)


def wanted(address: str, width: int = SMALL[0], height: int = SMALL[1]) -> iiif.Wanted:
    """What an address asks for; rotation, quality and format may be left out."""
    region, size, *rest = address.split("/")
    rotation, form = rest or ("0", "default.jpg")
    return iiif.wanted(region, size, rotation, form, width, height)


def sized(size: str, width: int = SMALL[0], height: int = SMALL[1]) -> tuple[int, int]:
    cut = wanted(f"full/{size}", width, height).cut
    return cut.out_width, cut.out_height


@given(side, side, st.data())
def test_every_tile_is_found_again_by_its_own_address(width: int, height: int, data: st.DataObject) -> None:
    factor = data.draw(st.sampled_from(tiling.scale_factors(width, height)))
    cut = data.draw(st.sampled_from(list(tiling.level_tiles(width, height, factor))))
    assert wanted(cut.name, width, height).cut == cut


@pytest.mark.parametrize(
    ("region", "found"),
    [
        ("full", "full"),
        ("0,0,300,200", "full"),
        ("pct:0,0,100,100", "full"),
        ("square", "50,0,200,200"),
        ("125,15,120,140", "125,15,120,140"),
        ("125,15,200,200", "125,15,175,185"),
        ("pct:41.6,7.5,40,70", "125,15,120,140"),
        ("pct:41.6,7.5,66.6,100", "125,15,175,185"),
        ("pct:.5,0,1,1.0", "2,0,3,2"),
        ("pct:0,0,0.000001,0.000001", "0,0,1,1"),
        ("299,199,1,1", "299,199,1,1"),
        ("0,0,999999999,999999999", "full"),
    ],
)
def test_regions_are_those_of_the_specification_s_own_examples(region: str, found: str) -> None:
    assert wanted(f"{region}/max").name.split("/")[0] == found


def test_a_square_lies_in_the_middle_of_the_longer_side() -> None:
    assert wanted("square/max", 200, 301).cut == tiling.Cut(0, 50, 200, 200, 200, 200)
    assert wanted("square/max", 7, 7).cut.whole


@given(st.integers(500, 20_000), st.lists(st.decimals("0.3", "30", places=1), min_size=3, max_size=3))
def test_neighbouring_percentages_touch_without_gap_or_overlap(width: int, shares: list[Decimal]) -> None:
    first = wanted(f"pct:{shares[0]},0,{shares[1]},50/max", width, 10).cut
    second = wanted(f"pct:{shares[0] + shares[1]},0,{shares[2]},50/max", width, 10).cut
    assert second.x == first.x + first.width


def test_a_share_that_begins_inside_has_a_pixel_however_small_the_picture_is() -> None:
    assert wanted("pct:99.9,99.9,0.1,0.1/max", 1, 1).cut.whole
    assert wanted("pct:99.99,0,50,100/max", 300, 200).name.startswith("299,0,1,200/")


@pytest.mark.parametrize(
    ("size", "found"),
    [
        ("max", (300, 200)),
        ("150,", (150, 100)),
        (",150", (225, 150)),
        ("pct:50", (150, 100)),
        ("pct:33.3", (100, 67)),
        ("225,100", (225, 100)),
        ("!225,100", (150, 100)),
        ("!1000,100", (150, 100)),
        ("!1000,1000", (300, 200)),
        ("^!360,360", (360, 240)),
        ("^!150,360", (150, 100)),
        ("^360,", (360, 240)),
        ("^,240", (360, 240)),
        ("^pct:120", (360, 240)),
        ("^pct:12", (36, 24)),
        ("^360,360", (360, 360)),
        ("^100,100", (100, 100)),
        ("1,", (1, 1)),
        ("pct:0.2", (1, 1)),
    ],
)
def test_sizes_are_those_of_the_specification_s_own_examples(size: str, found: tuple[int, int]) -> None:
    assert sized(size) == found


def test_max_is_bounded_by_side_and_area_and_never_enlarges() -> None:
    assert sized("max", *LARGE) == (1730, 1211)
    assert sized("max", 9000, 3000) == (2048, 683)
    assert sized("max", 1, 60_000) == (1, 2048)
    assert sized("max", 1, 1) == (1, 1)
    assert sized("^max", 1, 1) == (1448, 1448)
    assert sized("^max", 10, 1) == (2048, 205)


@given(side, side, st.sampled_from(["max", "^max", "!3000,3000", "^!3000,3000"]))
def test_the_largest_size_is_within_the_limits_and_of_the_region_s_shape(width: int, height: int, size: str) -> None:
    across, down = sized(size, width, height)
    assert across <= tiling.MAX_SIDE
    assert down <= tiling.MAX_SIDE
    assert across * down <= iiif.MAX_AREA
    assert abs(across * height - down * width) <= 2 * max(width, height), "a pixel of rounding"
    if "^" in size:
        grown = (across + 2) * (down + 2) > iiif.MAX_AREA
        assert grown or tiling.MAX_SIDE in (across, down), "as large as possible"


@pytest.mark.parametrize(
    ("address", "width", "height", "name"),
    [
        ("full/300,200", *SMALL, "full/max/0/default.jpg"),
        ("full/300,", *SMALL, "full/max/0/default.jpg"),
        ("0,0,300,200/pct:50/360/color.jpg", *SMALL, "full/150,100/0/default.jpg"),
        ("full/150,/90.0/gray.png", *SMALL, "full/150,100/90/gray.png"),
        ("square/^400,/!0/bitonal.webp", *SMALL, "50,0,200,200/^400,400/!0/bitonal.webp"),
        ("full/^max", *SMALL, "full/^max/0/default.jpg"),
        ("full/^300,200", *SMALL, "full/max/0/default.jpg"),
        ("full/^100,", *SMALL, "full/100,67/0/default.jpg"),
        ("0,0,512,512/512,512", *LARGE, "0,0,512,512/max/0/default.jpg"),
        ("0,0,1024,1024/512,512", *LARGE, "0,0,1024,1024/512,512/0/default.jpg"),
        ("full/^max", *LARGE, "full/max/0/default.jpg"),
    ],
)
def test_each_address_has_one_canonical_name(address: str, width: int, height: int, name: str) -> None:
    found = wanted(address, width, height)
    assert found.name == name
    assert wanted(name, width, height) == found, "the canonical name means the same"


@given(st.sampled_from([SMALL, LARGE, (1, 9999)]), st.data())
def test_canonical_names_are_their_own(picture: tuple[int, int], data: st.DataObject) -> None:
    size = data.draw(st.sampled_from(["max", "^max", "pct:7", "1,", ",1", "^9,11", "!50,60", "^!2000,60", "^11,9"]))
    found = wanted(f"pct:10,{data.draw(st.integers(0, 80))},50,20/{size}", *picture)
    assert wanted(found.name, *picture) == found


BAD_REGIONS = [
    "", "Full", "full ", " full", "0,0,10", "0,0,10,10,10", "-1,0,10,10", "300,0,10,10", "0,200,10,10", "0,0,0,10", "0,0,10,0",
    "0,0,1e3,10", "0,0,9.5,10", "0,0,９,9", "0,0,9999999999,10", "0,0,nan,1", "0x1,0,1,1", "+1,0,1,1", "0,0,10,10\n",
    "pct:100,0,10,10", "pct:0,0,0,10", "pct:-1,0,10,10", "pct:nan,0,1,1", "pct:inf,0,1,1", "pct:1e1,0,1,1", "pct:0,0,10", "pct:,,,",
    "pct:0,0,1.,1", "pct:0,0,.,1", "pct:0,0,1.2.3,1", "pct:0,0,0.1234567890,1", "pct:1000000000,0,1,1", "pct:0,0,10,1/2",
    "squared", "0,0,10,10/", "x,y,w,h", "\x00",
]  # fmt: skip
BAD_SIZES = [
    "", "full", "Max", "max ", "0,", ",0", "0,0", "!0,5", "!5,0", "^0,", "^,0", "^0,0", "301,", ",201", "301,200", "300,201",
    "pct:101", "pct:100.1", "pct:0", "pct:0.0001", "^pct:0", "pct:", "pct:-5", "pct:nan", "pct:1e2", "^2049,", "^,2049",
    "^2048,2048", "^pct:100000", "!max", "^", "^^max", "!^10,10", "!10,", "!pct:10", ",", "10", "10,10,10", "-1,", "1.5,",
    "1e2,", "９,", "9999999999,", "^9999999999,1", "99999999999999999999999999,", "10,\n", "%31,", "\x00",
]  # fmt: skip
BAD_ROTATIONS = ["", "1", "45", "22.5", "361", "450", "-90", "!", "!!0", "0!", "90deg", "nan", "1e1", "９0", "0 ", "90.", "360.1"]
BAD_FORMS = ["", "default", ".jpg", "default.", "default.jpeg", "default.JPG", "native.jpg", "grey.jpg", "default.jpg.jpg",
             "default.tif", "default.gif", "default.jp2", "default.pdf", "colour.jpg", "default jpg", "default.jpg\n"]  # fmt: skip


@pytest.mark.parametrize(
    "address",
    [
        *(f"{region}|max|0|default.jpg" for region in BAD_REGIONS),
        *(f"full|{size}|0|default.jpg" for size in BAD_SIZES),
        *(f"full|max|{rotation}|default.jpg" for rotation in BAD_ROTATIONS),
        *(f"full|max|0|{form}" for form in BAD_FORMS),
    ],
)
def test_an_address_that_is_malformed_or_not_offered_is_refused(address: str) -> None:
    region, size, rotation, form = address.split("|")
    with pytest.raises(tiling.NotOffered):
        iiif.wanted(region, size, rotation, form, *SMALL)


NUMBER = st.one_of(
    st.integers(-5, 10**12).map(str), st.decimals(allow_nan=True).map(str), st.text("0123456789.,!^:pctax-e", max_size=8)
)
PIECE = st.one_of(
    st.text(max_size=12),
    st.lists(NUMBER, min_size=1, max_size=5).map(",".join),
    st.lists(NUMBER, min_size=4, max_size=4).map(lambda parts: "pct:" + ",".join(parts)),
    st.tuples(st.sampled_from(["^", "!", "^!", "^pct:", "pct:"]), NUMBER, st.sampled_from(["", ","]), NUMBER).map("".join),
    st.sampled_from(["full", "square", "max", "^max", "0", "!90", "default.jpg", "gray.png"]),
)


@given(PIECE, PIECE, PIECE, PIECE, side, side)
def test_whatever_is_written_is_refused_or_within_the_limits(
    region: str, size: str, rotation: str, form: str, width: int, height: int
) -> None:
    try:
        cut = iiif.wanted(region, size, rotation, form, width, height).cut
    except tiling.NotOffered:
        return
    assert 0 <= cut.x < cut.x + cut.width <= width
    assert 0 <= cut.y < cut.y + cut.height <= height
    assert 1 <= cut.out_width <= tiling.MAX_SIDE
    assert 1 <= cut.out_height <= tiling.MAX_SIDE
    assert cut.out_width * cut.out_height <= iiif.MAX_AREA


def test_the_description_has_every_field_and_declares_what_goes_beyond_level_0() -> None:
    info = iiif.info_json("https://example.org/iiif/grant/key", 1300, 900)
    assert next(iter(info)) == "@context"
    assert info == {
        "@context": "http://iiif.io/api/image/3/context.json",
        "id": "https://example.org/iiif/grant/key",
        "type": "ImageService3",
        "protocol": "http://iiif.io/api/image",
        "profile": "level0",
        "width": 1300,
        "height": 900,
        "maxWidth": 2048,
        "maxHeight": 2048,
        "maxArea": 2_097_152,
        "sizes": [{"width": 325, "height": 225}, {"width": 650, "height": 450}, {"width": 1300, "height": 900}],
        "tiles": [{"width": 512, "height": 512, "scaleFactors": [1, 2, 4]}],
        "preferredFormats": ["jpg"],
        "extraFormats": ["png", "webp"],
        "extraQualities": ["color", "gray", "bitonal"],
        "extraFeatures": iiif.FEATURES,
    }


@given(side, side)
def test_sizes_and_tiles_of_the_description_are_served_and_within_its_limits(width: int, height: int) -> None:
    info = iiif.info_json("x", width, height)
    sizes = [(size["width"], size["height"]) for size in info["sizes"]]  # type: ignore[attr-defined]
    assert sizes == sorted(sizes)
    assert sizes, "there is always the smallest level"
    for size in sizes:
        assert sized(f"{size[0]},{size[1]}", width, height) == size
    assert tiling.TILE <= tiling.MAX_SIDE
    assert tiling.TILE**2 <= iiif.MAX_AREA
