"""Max and Ada look at copies of one picture; Max rules on them. Reviewers never learn that there are any."""

import re

import pytest
from PIL import ImageOps

from annotation.images.operations import join_clusters, split_cluster
from annotation.models import ClusterRuling, Image, Person, Role
from tests import factories
from tests.canary import canary
from tests.conftest import browser_of, counted_statements
from tests.likenesses import WINE, cropped, looked, photo


@pytest.fixture
def trio(db: None) -> list[Image]:
    """Three copies, one of them from another source."""
    other = factories.make_source("archive", name="The Archive")
    return [looked(photo()), looked(ImageOps.mirror(photo(longest=500))), looked(cropped(photo()), source=other)]


def page_of(person: Person, path: str = "/clusters/", **query: str) -> str:
    return browser_of(person).get(path, query).content.decode()


def cluster(image: Image) -> int | None:
    return Image.objects.values_list("cluster", flat=True).get(pk=image.pk)


def test_the_list_shows_each_cluster_with_small_views_sizes_sources_and_why(ada: Person, trio: list[Image]) -> None:
    looked(photo(WINE))
    page = page_of(ada)
    assert re.findall(r'href="/clusters/([^/"]+)/"', page) == [trio[0].key], "a picture without copies is no cluster"
    assert "3 pictures" in page
    assert len(re.findall(r'<img class="thumb" src="/iiif/staff', page)) == 3
    for expected in ("900 × 562 jpeg", "500 × 312 jpeg", "The Archive", "Demo-Photos", "of 63 bits", "mirrored"):
        assert expected in page, expected


def test_the_list_can_be_narrowed(max_: Person, trio: list[Image]) -> None:
    plain = [looked(photo(WINE)), looked(photo(WINE, 400))]
    both = {trio[0].key, plain[0].key}

    def found(**query: str) -> set[str]:
        return set(re.findall(r'href="/clusters/([^/"]+)/"', page_of(max_, **query)))

    assert found() == both
    assert found(kind="sources") == found(kind="mirrored") == found(source="archive") == {trio[0].key}
    assert found(source="demo-photos") == both
    assert found(kind="ruled") == set()
    split_cluster(images=[trio[1]], by=max_, reason="Another year.")
    assert found(kind="ruled") == {trio[0].key}
    assert browser_of(max_).get("/clusters/", {"kind": "lost"}).status_code == 400


def test_an_empty_list_says_what_to_do(ada: Person) -> None:
    assert "No picture has a copy" in page_of(ada)
    assert "No cluster fits these filters" in page_of(ada, kind="ruled")


def test_a_cluster_opens_by_any_of_its_pictures_and_says_what_each_is_a_copy_of(ada: Person, trio: list[Image]) -> None:
    for image in trio:
        page = page_of(ada, f"/clusters/{image.key}/")
        assert "3 pictures, copies of one" in page
        assert all(one.key in page for one in trio)
    assert page.count("Hashes apart") == 3
    assert "<form" not in page.split('id="main"')[1].split("</main>")[0], "Ada looks, and changes nothing"


def test_the_picture_s_own_page_leads_to_its_copies(ada: Person, trio: list[Image]) -> None:
    page = page_of(ada, f"/images/{trio[1].key}/")
    assert f'href="/clusters/{trio[1].key}/">2 copies beside this one' in page
    alone = looked(photo(WINE))
    assert "0 copies beside this one" in page_of(ada, f"/images/{alone.key}/")
    assert "A picture without copies" in page_of(ada, f"/clusters/{alone.key}/")


def test_a_picture_that_is_not_tiled_yet_has_a_page_too(max_: Person) -> None:
    assert "A picture without copies" in page_of(max_, f"/clusters/{factories.make_image().key}/")
    assert browser_of(max_).get("/clusters/none/").status_code == 404


def test_max_splits_a_picture_out_with_a_reason(max_: Person, trio: list[Image]) -> None:
    client = browser_of(max_)
    values = {"split-images": [trio[1].key], "split-reason": "Another year."}
    answer = client.post(f"/clusters/{trio[0].key}/split/", values, follow=True)
    assert answer.redirect_chain == [(f"/clusters/{trio[1].key}/", 302)]
    page = answer.content.decode()
    assert "Split. No later look-alike" in page
    assert "different pictures" in page
    assert "Another year." in page
    assert "and 1 more pair" in page
    assert cluster(trio[0]) == cluster(trio[2]) != cluster(trio[1])


@pytest.mark.parametrize(
    ("chosen", "reason", "status", "said"),
    [
        ([], "Why not.", 400, "Choose the pictures that do not belong here."),
        ([1], "", 400, "This field is required."),
        ([0, 1, 2], "All.", 400, "leave at least one"),
    ],
)
def test_a_refused_split_comes_back_with_what_was_entered(
    max_: Person, trio: list[Image], chosen: list[int], reason: str, status: int, said: str
) -> None:
    values = {"split-images": [trio[place].key for place in chosen], "split-reason": reason}
    answer = browser_of(max_).post(f"/clusters/{trio[0].key}/split/", values)
    page = answer.content.decode()
    assert (answer.status_code, said in page) == (status, True)
    assert page.count(" checked>") == len(chosen)
    assert reason in page
    assert not ClusterRuling.objects.exists()


def test_a_picture_of_another_cluster_cannot_be_split_out_of_this_one(max_: Person, trio: list[Image]) -> None:
    stranger = looked(photo(WINE))
    values = {"split-images": [stranger.key], "split-reason": "Not here."}
    assert browser_of(max_).post(f"/clusters/{trio[0].key}/split/", values).status_code == 400


def test_max_looks_at_another_picture_and_joins_it(max_: Person, trio: list[Image]) -> None:
    other, client = looked(ImageOps.flip(photo())), browser_of(max_)
    page = client.get(f"/clusters/{trio[0].key}/", {"with": other.key}).content.decode()
    assert "Join the clusters" in page
    values = {"join-other": other.key, "join-reason": "Upside down."}
    answer = client.post(f"/clusters/{trio[0].key}/join/", values, follow=True)
    assert "4 pictures, copies of one" in answer.content.decode()
    assert "joined by hand" in answer.content.decode()
    assert cluster(other) == cluster(trio[0])


def test_a_search_for_what_is_not_there_or_here_already_says_so(max_: Person, trio: list[Image]) -> None:
    path = f"/clusters/{trio[0].key}/"
    assert "No picture has this key" in page_of(max_, path, **{"with": "none"})
    assert "No picture has this key" in page_of(max_, path, **{"with": "'; no key at all &"})
    assert "It is in this cluster already" in page_of(max_, path, **{"with": trio[2].key})


def test_a_refused_join_comes_back_with_what_was_entered(max_: Person, trio: list[Image]) -> None:
    other, client = looked(photo(WINE)), browser_of(max_)
    answer = client.post(f"/clusters/{trio[0].key}/join/", {"join-other": other.key, "join-reason": " "})
    assert answer.status_code == 400
    assert f'value="{other.key}"' in answer.content.decode()
    join_clusters(one=trio[0], other=other, by=max_, reason="By somebody else meanwhile.")
    answer = client.post(f"/clusters/{trio[0].key}/join/", {"join-other": other.key, "join-reason": "Mine."})
    assert answer.status_code == 409


def test_ada_reviewers_and_others_rule_on_nothing(ada: Person, ann: Person, rae: Person, otto: Person, trio: list[Image]) -> None:
    for person in (ada, ann, rae, otto):
        for deed in ("split", "join"):
            assert browser_of(person).post(f"/clusters/{trio[0].key}/{deed}/", {}).status_code == 403, (person, deed)


def test_who_reviews_or_is_outside_does_not_learn_of_copies(ann: Person, rae: Person, otto: Person, trio: list[Image]) -> None:
    for person in (ann, rae, otto):
        for path in ("/clusters/", f"/clusters/{trio[0].key}/"):
            assert browser_of(person).get(path).status_code == 403, (person, path)


def test_the_next_question_says_nothing_of_copies_of_its_picture(ann: Person, trio: list[Image]) -> None:
    question = factories.make_original(image=trio[0])
    factories.make_original(image=trio[1])
    factories.make_item(factories.make_campaign(ann), question, needed=1)
    answer = browser_of(ann).post("/api/v1/review/next", {}, content_type="application/json")
    text = answer.content.decode()
    assert answer.json()["item"]["question"] == question.text
    assert "cluster" not in text
    assert trio[1].key not in text
    assert trio[2].key not in text


def test_copies_carry_no_question_nor_what_is_hidden_about_it(max_: Person, trio: list[Image]) -> None:
    """Also not to a maintainer who reviews at other times."""
    max_.user.roles = [Role.MAINTAINER, Role.ANNOTATOR]
    max_.user.save()
    question = factories.make_original("Which cup is the green one?", image=trio[0])
    factories.make_control(factories.make_edit(question, old="green one", new="broken one"))
    for path in ("/clusters/", f"/clusters/{trio[1].key}/"):
        page = page_of(max_, path)
        assert trio[0].key in page
        for hidden in (question.text, "broken one", canary("reference-answer"), canary("control-answer")):
            assert hidden not in page, (path, hidden)


def test_lists_and_clusters_ask_as_much_for_many_pictures_as_for_few(max_: Person, trio: list[Image]) -> None:
    client = browser_of(max_)

    def statements(path: str) -> list[str]:
        with counted_statements() as asked:
            assert client.get(path).status_code == 200
        return asked

    paths = ("/clusters/", f"/clusters/{trio[0].key}/")
    few = [len(statements(path)) for path in paths]
    for longest in range(380, 480, 10):
        looked(photo(longest=longest))
    for longest in (400, 500):
        looked(photo(WINE, longest))
    for place in (1, 2):
        split_cluster(images=[trio[place]], by=max_, reason=f"Reason {place}.")
    many = [len(statements(path)) for path in paths]
    assert few == many == [6, 6], (few, many)


def test_a_page_of_the_list_goes_on_at_the_next(ada: Person) -> None:
    for number in range(42):
        oldest = factories.make_image()
        factories.make_image(cluster=oldest.pk)
        Image.objects.filter(pk=oldest.pk).update(cluster=oldest.pk)
        assert number < 42
    page = page_of(ada)
    assert len(set(re.findall(r'href="/clusters/([^/"]+)/"', page))) == 20
    assert 'rel="next"' in page
