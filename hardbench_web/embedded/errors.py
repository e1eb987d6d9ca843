"""What can go wrong while servers are started, worded for the person at the terminal."""


class EmbeddedError(Exception):
    """Names the place and the remedy; the launcher prints it and exits 1."""


class Stopped(Exception):  # noqa: N818 - like KeyboardInterrupt: a wish, not an error
    """A signal asked the launcher to stop; `signum` is the one that asked first."""

    def __init__(self, signum: int) -> None:
        super().__init__(f"stopped by signal {signum}")
        self.signum = signum
