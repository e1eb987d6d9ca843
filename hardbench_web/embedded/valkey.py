"""Embedded Valkey: the broker, on a private socket. What it loses, the sweep sends again."""

import os
import signal
import socket
from dataclasses import dataclass
from pathlib import Path

from hardbench_web.embedded.children import Service
from hardbench_web.embedded.folders import StateFolder


@dataclass(frozen=True)
class Broker:
    """`sockets` is the private folder of its socket, `program` a valkey-server or redis-server."""

    state: StateFolder
    program: Path
    sockets: Path

    @property
    def socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def url(self) -> str:
        return f"redis+socket://{self.socket}?virtual_host=0"

    def service(self) -> Service:
        settings = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.state.path / "valkey"),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "maxmemory-policy": "noeviction",
        }
        return Service(
            name="valkey",
            command=[str(self.program), *(part for name, value in settings.items() for part in (f"--{name}", value))],
            log=self.state.log("valkey"),
            env=dict(os.environ),
            cwd=Path("/"),
            stops=((signal.SIGTERM, 15.0),),
            prepare=self.prepare,
            ready=self.answers,
        )

    def prepare(self) -> None:
        (self.state.path / "valkey").mkdir(exist_ok=True, mode=0o700)

    def answers(self) -> bool:
        """PING is answered with an error while the log is still being read in."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(2)
            try:
                client.connect(str(self.socket))
                client.sendall(b"PING\r\n")
                return client.recv(16).startswith(b"+PONG")
            except OSError:
                return False
