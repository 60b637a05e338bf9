"""Run the application until it is interrupted."""

from __future__ import annotations

import contextlib
import errno
import signal
import socket
from collections.abc import Callable, Iterator, Sequence

import uvicorn

from paragauge.errors import FileError, OptionError
from paragauge.web.app import create_app
from paragauge.web.area import Area
from paragauge.web.connection import PatientProtocol
from paragauge.web.security import MOST_BYTES, Guard

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8017
MOST_CONNECTIONS = 1000  # at once; more get status 503
MOST_HEADER_BYTES = 64 << 10


def run_server(
    areas: Sequence[Area],
    announce: Callable[[str], object],
    *,
    host: str = DEFAULT_HOST,
    port: int = DEFAULT_PORT,
    names: Sequence[str] = (),
    most_bytes: int = MOST_BYTES,
    open_browser: bool = False,
) -> None:
    """Serve *areas* until interrupted.

    Args:
        areas: Areas in the order of the navigation.
        announce: Called with the address to open (including the token, if one is required) once the server listens.
        host: Address to listen on.
        port: Port to listen on; 0 for any free port.
        names: Additional host names of the server.
        most_bytes: Maximum size of a request in bytes.
        open_browser: Whether to open the address in the user's browser.

    Raises:
        FileError: The server cannot listen on the address.
        OptionError: The host is not an address of this machine.
    """
    guard = Guard.bound_to(host, names=frozenset(name.lower() for name in names), most_bytes=most_bytes)
    listener = _listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listener.getsockname()[1]}/" + (f"?token={guard.token}" if guard.token else "")
    config = uvicorn.Config(
        create_app(areas, guard),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=PatientProtocol,
        limit_concurrency=MOST_CONNECTIONS,
        h11_max_incomplete_event_size=MOST_HEADER_BYTES,
        timeout_graceful_shutdown=3,
    )
    with listener, contextlib.suppress(KeyboardInterrupt):  # the usual way to stop it
        announce(address)
        if open_browser:
            import webbrowser

            webbrowser.open(address)
        server = _Server(config)
        server.run(sockets=[listener])
        if not server.started:
            raise FileError("the server did not start; the lines above say why")


class _Server(uvicorn.Server):
    """A server that a closed terminal (SIGHUP) ends as Ctrl-C does: jobs and connections first."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        hangup = getattr(signal, "SIGHUP", None)  # not on Windows
        with super().capture_signals():  # raises what was received again when it ends
            before = None if hangup is None else signal.getsignal(hangup)
            if hangup is None or before in (None, signal.SIG_IGN):  # started with nohup
                yield
                return
            signal.signal(hangup, self.handle_exit)
            try:
                yield
            finally:
                signal.signal(hangup, before)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise OptionError(
            f"{host!r} is not a valid address: {error.strerror}; the default is {DEFAULT_HOST}"
        ) from error
    try:
        return socket.create_server(address[:2], family=family, backlog=512)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            what = f"port {port} is in use; choose another with --port, or use --port 0 for any free port"
        else:
            what = error.strerror or str(error)
        raise FileError(f"cannot listen on {host}: {what}") from error
