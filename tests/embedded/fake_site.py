"""`fake_site.py STATE PORT JOURNAL`: the real launcher serving a site of stand-ins."""

import sys
from pathlib import Path

from hardbench_web.embedded.__main__ import guarded
from hardbench_web.embedded.folders import StateFolder
from hardbench_web.embedded.launch import serve
from hardbench_web.embedded.programs import Site

PART = Path(__file__).with_name("fake_part.py")


def plan(port: int, state: StateFolder) -> Site:
    journal = sys.argv[3]

    def part(name: str, *more: str) -> tuple[str, ...]:
        return (sys.executable, str(PART), name, journal, *more)

    def step(words: str) -> tuple[str, ...]:
        return ("sh", "-c", f"echo {words} >> {journal}")

    return Site(
        port=port,
        migrate=step("migrated"),
        scheduler=part("scheduler"),
        worker=part("worker"),
        web=part("web", str(port)),
        prepare=(step("prepared"),),
        announce=step("announced"),
    )


if __name__ == "__main__":
    sys.exit(guarded(lambda: serve(Path(sys.argv[1]), int(sys.argv[2]), plan)))
