"""What the environment says about storage, as a process of its own reads it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TELL = """
import json
from hardbench_web import settings
forms = [str(one) for one in settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]["form-action"]]
print(json.dumps([forms, settings.AWS_SECRET_ACCESS_KEY, settings.STORAGE_CACHE_BYTES]))
"""


def told(**values: str) -> list[Any]:
    environment = {**os.environ, "DEBUG": "1", **values}
    ran = subprocess.run([sys.executable, "-c", TELL], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return list(json.loads(ran.stdout))


def test_browsers_may_follow_a_download_to_the_bucket_only_where_the_url_says_so(tmp_path: Path) -> None:
    url = "s3://kept?endpoint=https://objects.example.org"
    assert told(STORAGE_URL=url)[0] == ["'self'"]
    assert told(STORAGE_URL=f"{url}&downloads=redirect")[0] == ["'self'", "https://objects.example.org"]


def test_the_secret_key_may_lie_in_a_file_and_the_cache_is_counted_in_mebibytes(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("from-a-file\n")
    _, secret, kept = told(AWS_SECRET_ACCESS_KEY_FILE=str(tmp_path / "secret"), STORAGE_CACHE_MB="3")
    assert (secret, kept) == ("from-a-file", 3 << 20)
