"""Connections that are given up if they are slow: a server must not wait for ever for anybody."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from paragauge.web.security import HEADERS

HEADER_SECONDS = 20.0  # for the first line and the headers of a request


class PatientProtocol(H11Protocol):
    """A connection whose next request must have arrived, up to its body, within a time limit."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_watching()

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, with the same headers as everything else."""
        body = msg.encode("ascii", "replace")
        fields = {
            **HEADERS,
            "content-type": "text/plain; charset=utf-8",
            "content-length": str(len(body)),
            "cache-control": "no-store",
            "connection": "close",
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.transport.write(f"HTTP/1.1 400 Bad Request\r\n{lines}\r\n".encode("ascii") + body)
        self.transport.close()

    def _watch(self) -> None:
        """Start the clock while a request is expected, and stop it when it has arrived."""
        if self.conn.their_state is not h11.IDLE:
            self._stop_watching()
        elif self._waiting is None and not self.transport.is_closing():
            self._waiting = self.loop.call_later(HEADER_SECONDS, self._give_up)

    def _stop_watching(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        if self.conn.their_state is h11.IDLE:
            self.transport.close()
