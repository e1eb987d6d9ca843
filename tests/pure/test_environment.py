"""Max sets up an installation; a wrong word in the environment is refused by name, with the remedy."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from hardbench_web.environment import Environment


def test_words_for_yes_and_no_are_read_and_others_refused() -> None:
    env = Environment({"A": "1", "B": "No", "C": "maybe"})
    assert env.boolean("A") is True
    assert env.boolean("B", default=True) is False
    assert env.boolean("UNSET", default=True) is True
    with pytest.raises(ImproperlyConfigured, match="C is 'maybe': write 1 or 0"):
        env.boolean("C")


@pytest.mark.parametrize("word", ["-1", "many", "1.5", "0"])
def test_a_number_that_is_none_or_too_small_is_refused(word: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="whole number of at least 1"):
        Environment({"N": word}).number("N", 5, least=1)
    assert Environment({"N": "7"}).number("N", 5, least=1) == 7


def test_a_list_is_split_at_commas_without_blanks() -> None:
    assert Environment({"HOSTS": " a.example , ,b.example"}).words("HOSTS") == ["a.example", "b.example"]


def test_a_secret_may_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("s" * 40 + "\n")
    assert Environment({"KEY_FILE": str(tmp_path / "key")}).required_secret("KEY", least=32) == "s" * 40
    with pytest.raises(ImproperlyConfigured, match="cannot be read"):
        Environment({"KEY_FILE": str(tmp_path / "none")}).secret("KEY")


def test_a_missing_or_short_secret_is_refused() -> None:
    for values in ({}, {"KEY": "short"}):
        with pytest.raises(ImproperlyConfigured, match="at least 32 characters"):
            Environment(values).required_secret("KEY", least=32)


def test_a_relative_folder_is_refused() -> None:
    with pytest.raises(ImproperlyConfigured, match="absolute"):
        Environment({"STATE_DIR": "state"}).folder("STATE_DIR", Path("/x"))
    assert Environment({}).folder("STATE_DIR", Path("/x")) == Path("/x")
