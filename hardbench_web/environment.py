"""A typed reader of environment variables that refuses wrong values by name, with the remedy."""

import os
from collections.abc import Mapping
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off", ""}


class Environment:
    """Reads variables from a mapping (the process's own by default); `NAME_FILE` may hold the path of a secret."""

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = os.environ if values is None else values

    def text(self, name: str, default: str = "") -> str:
        return self._values.get(name, default).strip()

    def boolean(self, name: str, default: bool = False) -> bool:
        word = self._values.get(name, str(default)).strip().lower()
        if word in TRUE:
            return True
        if word in FALSE:
            return False
        raise ImproperlyConfigured(f"{name} is {word!r}: write 1 or 0.")

    def number(self, name: str, default: int, *, least: int = 0) -> int:
        word = self._values.get(name, str(default)).strip()
        if not word.isdecimal() or int(word) < least:
            raise ImproperlyConfigured(f"{name} is {word!r}: write a whole number of at least {least}.")
        return int(word)

    def words(self, name: str, default: str = "") -> list[str]:
        return [word for word in (part.strip() for part in self.text(name, default).split(",")) if word]

    def folder(self, name: str, default: Path) -> Path:
        path = Path(self.text(name) or default)
        if not path.is_absolute():
            raise ImproperlyConfigured(f"{name} is {str(path)!r}: write an absolute path.")
        return path

    def secret(self, name: str) -> str:
        """The value of NAME, or the content of the file that NAME_FILE points to; empty if neither is set."""
        path = self.text(f"{name}_FILE")
        if not path:
            return self.text(name)
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE points to {path!r}, which cannot be read: {error}.") from error

    def required_secret(self, name: str, *, least: int) -> str:
        value = self.secret(name)
        if len(value) < least:
            raise ImproperlyConfigured(f"{name} must be set to a secret of at least {least} characters (or {name}_FILE).")
        return value
