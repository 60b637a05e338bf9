"""Access control: checks before anything else handles a request, and headers on every response.

A page of another site can make the user's browser send requests to 127.0.0.1, and can point a host name of its own
there (DNS rebinding). Against the latter, the ``Host`` must be one of ours; against the former, a request that changes
or computes anything must come from one of our pages (``Origin``), or from a program, which sends no origin. Other
machines also need a token.
"""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paragauge.io import digest
from paragauge.web.problems import Problem, problem_response

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
MOST_BYTES = 16 << 20  # maximum size of a request
MOST_REQUESTS_HELD = 16  # of the largest size, or more smaller ones
PAUSE_SECONDS = 20.0  # between two pieces of a request
BODY_SECONDS = 120.0  # for a whole request

_SAFE_METHODS = frozenset({"GET", "HEAD"})
HEADERS = {
    # No inline scripts or styles, nothing from other sites, no frames, no forms to other sites.
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def is_loopback(host: str) -> bool:
    """Return whether a server bound to *host* is reachable only from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Guard:
    """Settings of the checks.

    Attributes:
        hosts: Accepted host names in addition to those of loopback.
        any_address: Whether any numeric address is accepted, for a server bound to all of them: rebinding needs a
            name.
        token: Token that a request must carry; ``None`` for none.
        most_bytes: Maximum size of a request in bytes.
    """

    hosts: frozenset[str] = frozenset()
    any_address: bool = False
    token: str | None = field(default=None, repr=False)
    most_bytes: int = MOST_BYTES

    @classmethod
    def bound_to(cls, host: str, *, names: frozenset[str] = frozenset(), most_bytes: int = MOST_BYTES) -> Guard:
        """Return the guard of a server bound to *host*, with a new token unless that is loopback."""
        token = None if is_loopback(host) else secrets.token_urlsafe(24)
        return cls(names | {host.lower()}, host in {"0.0.0.0", "::"}, token, most_bytes)  # noqa: S104, compared only

    @property
    def cookie(self) -> str:
        """The cookie that holds the token: one per server, since all ports of a machine share cookies."""
        return f"paragauge-{digest((self.token or '').encode())}"

    def knows_host(self, header: str | None) -> bool:
        """Return whether a ``Host`` header names this server."""
        name = _host_name(header)
        if name is None:
            return False
        if name in LOOPBACK_NAMES or name in self.hosts:
            return True
        return self.any_address and _is_address(name)


def _host_name(header: str | None) -> str | None:
    """Return the name in ``name:port``, in lower case, without the brackets of IPv6; ``None`` if there is none."""
    if not header or any(letter in header for letter in "/@?# \t,"):
        return None
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port  # raises if it is not a number
        return parts.hostname
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@dataclass(slots=True)
class _Held:
    """How much of a request has been received."""

    bytes: int = 0
    complete: bool = False


class Security:
    """Middleware that applies a `Guard` to an application."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app = app
        self.guard = guard
        self._held = 0  # bytes of all requests that are being received or answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # no web sockets here
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-cache" if scope["path"].startswith("/static/") else "no-store")
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send_with_headers)
            return
        held = _Held()
        try:
            await self.app(scope, self._bounded(receive, held), send_with_headers)
        finally:
            self._held -= held.bytes

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host")
        if len(headers.getlist("host")) != 1 or _host_name(host) is None:
            return problem_response(400, "the request needs one Host header of the form name:port")
        if len(headers.getlist("origin")) > 1 or not _is_origin(headers.get("origin")):
            return problem_response(400, "the Origin header is malformed, expected scheme://name:port")
        if not self.guard.knows_host(host):
            detail = (
                f"this server does not accept the host name {host!r}; use the address that it printed, "
                "or start it with --allow-host"
            )
            return problem_response(421, detail)
        if scope["method"] not in _SAFE_METHODS and not _from_own_page(headers, scope.get("scheme", "http")):
            return problem_response(403, "requests from pages of other sites are not allowed")
        if self.guard.token is not None:
            found = _token_in_query(scope)
            if found is not None and _same(found, self.guard.token) and scope["method"] in _SAFE_METHODS:
                return self._remember(scope)  # keeps the token out of links, titles and history
            if not any(
                _same(each, self.guard.token) for each in (_bearer(headers), _cookie(headers, self.guard.cookie))
            ):
                detail = (
                    "a token is required: open the address that the server printed, "
                    "or send 'Authorization: Bearer TOKEN'"
                )
                return problem_response(401, detail, {"www-authenticate": "Bearer"})
        length = headers.get("content-length", "0")
        if length.isascii() and length.isdigit() and int(length) > self.guard.most_bytes:
            return problem_response(413, _too_large(self.guard.most_bytes), {"connection": "close"})
        return None

    def _remember(self, scope: Scope) -> Response:
        rest = [pair for pair in _query(scope) if pair[0] != "token"]
        # One leading slash: two would make it the address of another server.
        target = "/" + str(scope["path"]).lstrip("/\\")
        response = RedirectResponse(target + (f"?{urlencode(rest)}" if rest else ""), 303)
        assert self.guard.token is not None  # noqa: S101, called only with a token
        response.set_cookie(self.guard.cookie, self.guard.token, httponly=True, samesite="strict", path="/")
        return response

    def _bounded(self, receive: Receive, held: _Held) -> Receive:
        deadline: float | None = None

        async def bounded() -> Message:
            nonlocal deadline
            if held.complete:
                return await receive()  # waits until the client leaves
            now = asyncio.get_running_loop().time()
            deadline = deadline or now + BODY_SECONDS
            try:
                async with asyncio.timeout_at(min(deadline, now + PAUSE_SECONDS)):
                    message = await receive()
            except TimeoutError:
                raise Problem(408, "the request arrives too slowly; send it again", {"connection": "close"}) from None
            size = len(message.get("body", b""))
            held.bytes += size
            self._held += size
            held.complete = not message.get("more_body", False)
            if held.bytes > self.guard.most_bytes:  # the declared length of a request may be wrong or missing
                raise Problem(413, _too_large(self.guard.most_bytes), {"connection": "close"})
            if self._held > MOST_REQUESTS_HELD * self.guard.most_bytes:
                detail = "too many large requests at once; try again in a moment"
                raise Problem(503, detail, {"retry-after": "5", "connection": "close"})
            return message

        return bounded


def _too_large(limit: int) -> str:
    return f"the request is larger than {limit:,} bytes; send it in parts, or start the server with a larger --max-size"


def _is_origin(header: str | None) -> bool:
    """Return whether an ``Origin`` header is absent or has its form."""
    if header is None or header == "null":
        return True
    scheme, separator, place = header.partition("://")
    return bool(separator) and scheme.replace("-", "").replace("+", "").isalnum() and _host_name(place) is not None


def _from_own_page(headers: Headers, scheme: str) -> bool:
    origin = headers.get("origin")
    if origin is not None:
        return origin.lower() == f"{scheme}://{headers['host'].lower()}"
    return headers.get("sec-fetch-site", "none") in {"same-origin", "none"}


def _query(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)


def _token_in_query(scope: Scope) -> str | None:
    return next((value for name, value in _query(scope) if name == "token"), None)


def _bearer(headers: Headers) -> str | None:
    scheme, _, value = headers.get("authorization", "").partition(" ")
    return value.strip() if scheme.lower() == "bearer" else None


def _cookie(headers: Headers, name: str) -> str | None:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return None
    return None if found is None else found.value


def _same(found: str | None, token: str) -> bool:
    return found is not None and secrets.compare_digest(found.encode(), token.encode())
