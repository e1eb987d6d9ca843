"""Servers of plain files, to compare with: nginx, and Granian without asking Python."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.web import WORKERS, free_port, wait_for

CONFIGURATION = """
{user}
worker_processes {workers};
daemon off;
pid {folder}/nginx.pid;
error_log stderr crit;
events {{ worker_connections 512; }}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000;
    types {{ image/jpeg jpg; }}
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location /tiles/ {{ alias {files}/; etag on; }}
    }}
}}
"""


@contextmanager
def served_by_granian(files: Path) -> Iterator[int]:
    """The files below /tiles on a free port, served by Granian itself."""
    port = free_port()
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "hardbench_web.wsgi:application"]
    options = ["--workers", str(WORKERS), "--host", "127.0.0.1", "--port", str(port)]
    with _running([*command, *options, "--static-path-route", "/tiles", "--static-path-mount", str(files)], port):
        yield port


@contextmanager
def served_by_nginx(program: str, files: Path) -> Iterator[int]:
    """The files below /tiles on a free port, served by nginx with as many workers as Granian has."""
    port = free_port()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "nginx.conf"
        user = "user root;" if os.geteuid() == 0 else ""
        path.write_text(CONFIGURATION.format(user=user, workers=WORKERS, folder=folder, port=port, files=files))
        with _running([program, "-p", folder, "-c", str(path), "-e", "stderr"], port):
            yield port


@contextmanager
def _running(command: list[str], port: int) -> Iterator[None]:
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield
    finally:
        server.terminate()
        try:
            server.wait(timeout=10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
