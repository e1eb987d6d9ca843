"""What can go wrong while servers are started, worded for the person at the terminal."""


class EmbeddedError(Exception):
    """Names the place and the remedy; the launcher prints it and exits 1."""


class Stopped(Exception):
    """A signal asked the launcher to stop: no error but a wish, like KeyboardInterrupt. `signum` asked first."""

    def __init__(self, signum: int) -> None:
        super().__init__(f"stopped by signal {signum}")
        self.signum = signum
