"""Reading request bodies: JSON that every reader understands the same way, or a refusal."""

import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class StrictJSONParser(JSONParser):
    """JSON without NaN and infinities, without half characters, and not nested beyond what can be read."""

    strict = True

    def parse(self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        try:
            body = super().parse(stream, media_type, dict(parser_context or {}))
            json.dumps(body, ensure_ascii=False).encode()
        except RecursionError as error:
            raise ParseError(_("The JSON is nested too deeply to be read.")) from error
        except UnicodeEncodeError as error:
            raise ParseError(_("The JSON holds half of a character (a lone surrogate).")) from error
        return body
