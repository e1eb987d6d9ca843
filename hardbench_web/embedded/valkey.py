"""Embedded Valkey: the broker, on a private socket. What it loses, the sweep sends again."""

import os
import socket
from dataclasses import dataclass
from pathlib import Path

from hardbench_web.embedded.children import Service
from hardbench_web.embedded.folders import StateFolder, keep_private


@dataclass(frozen=True)
class Broker:
    """`program` is a valkey-server or redis-server, `sockets` the private folder of its socket, `owner` that folder's."""

    state: StateFolder
    program: Path
    sockets: Path
    owner: int

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
            prepare=self.prepare,
            ready=self.answers,
            socket=self.socket,
        )

    def prepare(self) -> None:
        keep_private(self.sockets, self.owner)
        (self.state.path / "valkey").mkdir(exist_ok=True, mode=0o700)

    def answers(self) -> bool:
        """PING gets an error instead while the log is still being read in."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(2)
            try:
                client.connect(str(self.socket))
                client.sendall(b"PING\r\n")
                return client.recv(16).startswith(b"+PONG")
            except OSError:
                return False
