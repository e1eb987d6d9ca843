"""Draw crowded scenes with exact truth and questions."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.demo.scenes.making import Order, make
from annotation.management.importing import Bar
from annotation.management.verbs import VerbCommand
from annotation.wording import counted


class Command(VerbCommand):
    help = (
        "Draw crowded high-resolution scenes from a seed, with their truth and original questions, into a folder of their "
        "own. A run that was stopped goes on when it is started again; what is there already is kept. See docs/scenes.md."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("folder", type=Path, help="a new or empty folder, or one that the same command began")
        parser.add_argument("--count", type=int, default=8, help="how many scenes (default: 8)")
        parser.add_argument("--seed", type=int, default=1, help="another seed gives other scenes (default: 1)")
        parser.add_argument("--pixels", type=int, default=10_000, help="width of the pictures (default: 10000)")

    def perform(self, options: dict[str, Any]) -> dict[str, Any]:
        order = Order(count=options["count"], seed=options["seed"], pixels=options["pixels"])
        with Bar("Drawing") as bar:
            return make(options["folder"], order, bar)

    def lines(self, outcome: dict[str, Any]) -> list[str]:
        folder = outcome["folder"]
        return [
            f"{counted(outcome['scenes'], 'scene')} in {folder}: {outcome['drawn']} drawn, {outcome['kept']} there already",
            f"{counted(outcome['questions'], 'question')} in {folder}/questions.jsonl, what is true in {folder}/truth.json",
        ]
