"""HTTP connections that a deadline can cut, bodies read with a cap. Imports requests."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Iterator
from http.client import BadStatusLine, HTTPException, RemoteDisconnected
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Any

import requests
import truststore
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3 import exceptions as urllib3_errors
from urllib3.connection import HTTPConnection, HTTPSConnection

from batllm_arcade.models.deadline import CURRENT, Deadline

CAP = 1 << 20
"""Bytes of a decoded body that are read at most."""
LIST_CAP = 8 << 20
"""Bytes of a list of models: that of a gateway with hundreds of them, each described, is longer than any answer."""

FAILURES = (requests.RequestException, urllib3_errors.HTTPError, HTTPException, OSError, UnicodeError)
"""Everything that can go wrong between here and a server."""

if TYPE_CHECKING:
    _Mixed = HTTPConnection
else:
    _Mixed = object


class Oversized(OSError):
    """The body is larger than the cap."""


class _DeadlineConnection(_Mixed):
    """A connection that reports to the current deadline which socket it waits on."""

    served = False

    def _new_conn(self) -> Any:
        # Before it connects: a proxy may send its answer to CONNECT slowly, too.
        return _attached(super()._new_conn())

    def connect(self) -> None:
        self.served = False
        super().connect()
        _attached(self.sock)

    def request(self, *args: Any, **options: Any) -> None:
        deadline = CURRENT.get()
        if deadline is not None:
            deadline.reused = self.served and self.sock is not None
        _attached(self.sock)
        super().request(*args, **options)
        self.served = True

    def getresponse(self) -> Any:
        response = super().getresponse()
        deadline = CURRENT.get()
        if deadline is not None:
            deadline.answered = True
        return response


def _attached(sock: Any) -> Any:
    deadline = CURRENT.get()
    if deadline is not None and sock is not None:
        deadline.attach(sock)
    return sock


class _Http(_DeadlineConnection, HTTPConnection):
    pass


class _Https(_DeadlineConnection, HTTPSConnection):
    pass


class _HttpPool(HTTPConnectionPool):
    ConnectionCls = _Http


class _HttpsPool(HTTPSConnectionPool):
    ConnectionCls = _Https


_POOLS = {"http": _HttpPool, "https": _HttpsPool}


class _Adapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, **options, ssl_context=_system_store())
        self.poolmanager.pool_classes_by_scheme = _POOLS

    def proxy_manager_for(self, *args: Any, **options: Any) -> Any:
        manager = super().proxy_manager_for(*args, **options, ssl_context=_system_store())
        manager.pool_classes_by_scheme = _POOLS
        return manager


def _system_store() -> truststore.SSLContext:
    """Return what trusts whom this computer trusts, beside the list that comes with requests."""
    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def authorities(ca: str) -> str:
    """Return the file or folder of authorities that is trusted as well, "" for none: `ca`, or the environment's."""
    named = (ca, *map(os.environ.get, ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE")))
    return next((path for path in named if path and os.path.exists(path)), "")


class _Session(requests.Session):
    def get_redirect_target(self, resp: requests.Response) -> None:
        """Return None always: requests would read a redirect's whole body even when it does not follow it."""
        return


def new_session(proxy: str = "", ca: str = "") -> requests.Session:
    """Return a session that keeps no cookies and follows no redirect.

    Of the environment it takes who may sign certificates and nothing else; `ca` is a file that says that instead.
    """
    session = _Session()
    session.verify = authorities(ca) or True
    session.trust_env = False  # a ~/.netrc entry would replace the key, HTTP_PROXY would catch loopback
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    session.headers["Accept-Encoding"] = "identity"
    if proxy:
        session.proxies = {"http": proxy, "https": proxy}
    for scheme in ("http://", "https://"):
        session.mount(scheme, _Adapter(pool_connections=1, pool_maxsize=1, max_retries=0))
    return session


def send(
    session: requests.Session, method: str, url: str, *, data: bytes | None, headers: dict[str, str],
    connect_s: float, deadline: Deadline,
) -> requests.Response:  # fmt: skip
    """Return the response as soon as its headers are there; raise DeadlineStopped or one of FAILURES.

    Connecting may take `connect_s` seconds; whatever comes after that ends with the deadline alone.
    """
    deadline.check()
    token = CURRENT.set(deadline)
    try:
        response = session.request(
            method, url, data=data, headers=headers, timeout=(connect_s, None), stream=True, allow_redirects=False
        )
    finally:
        CURRENT.reset(token)
    deadline.check()  # headers cut off by the deadline parse as an empty 200
    return response


def lines(response: requests.Response, deadline: Deadline, cap: int = CAP) -> Iterator[str]:
    """Yield the decoded body's lines as they arrive, without their ends.

    Raise Oversized, DeadlineStopped, one of FAILURES, and UnicodeDecodeError if they are not UTF-8.
    """
    packings = filter(None, re.split(r"[\s,]+", response.headers.get("Content-Encoding", "").lower()))
    if not {"identity", *response.raw.CONTENT_DECODERS}.issuperset(packings):  # nobody asked for it
        raise urllib3_errors.DecodeError
    rest, total = b"", 0
    while data := response.raw.read1(16_384, decode_content=True):
        deadline.check()
        total += len(data)
        if total > cap:
            raise Oversized
        *whole, rest = (rest + data).split(b"\n")
        for line in whole:
            yield line.decode("utf-8")
    deadline.check()  # a body without a length that was cut off looks whole
    if rest:
        yield rest.decode("utf-8")


def finish(response: requests.Response) -> None:
    """Close a response that was read as far as it matters; keep its connection if its end is here."""
    try:
        # The end usually comes with the last line; a server that dawdles does not get its connection back.
        sock = getattr(response.raw.connection, "sock", None)
        if sock is not None:
            sock.settimeout(0.1)
            response.raw.read1(16_384, decode_content=True)
    except FAILURES:
        pass
    response.close()


def sentence(problem: BaseException, where: str, hint: str) -> tuple[str, bool]:
    """Return one plain sentence, and whether asking again may help; quotes nothing of the exception."""
    reason = _reason(problem)
    if isinstance(problem, Oversized):
        return f"{where} sent more than 1 MiB for one answer; use another model or server", True
    if isinstance(problem, UnicodeError):
        return f"{where} answered something that is not UTF-8 text; check base_url", False
    if isinstance(reason, urllib3_errors.ProxyError) or isinstance(problem, requests.exceptions.ProxyError):
        return f"the proxy on the way to {where} does not work; check the option proxy", True
    if isinstance(reason, urllib3_errors.SSLError) or isinstance(problem, requests.exceptions.SSLError):
        if "certificate" not in str(reason).lower():
            return f"{where} does not speak TLS there, or no kind that this computer knows; check base_url", False
        return f"{where} has no certificate this computer trusts; check base_url, or name its authority: ca=FILE", False
    if isinstance(reason, urllib3_errors.NameResolutionError):
        return f"the name of {where} is not known here; check base_url and the network", True
    if isinstance(reason, urllib3_errors.NewConnectionError):
        return f"{where} does not take connections; {hint}", True
    if isinstance(problem, requests.ConnectTimeout) or isinstance(reason, urllib3_errors.ConnectTimeoutError):
        return f"{where} cannot be reached; {hint}", True
    if isinstance(reason, urllib3_errors.DecodeError):
        sentence = f"{where} packs its answer in a way that cannot be unpacked here"
        return f"{sentence}; switch compression off there, or check base_url", False
    if isinstance(problem, requests.exceptions.InvalidURL):
        return f"{where} is no address; check base_url", False
    others = [each for each in getattr(reason, "args", ()) if isinstance(each, BadStatusLine)]
    if others and not isinstance(others[0], RemoteDisconnected):
        return f"{where} does not speak HTTP/1.1 there, but HTTP/2, TLS or something else; check base_url", False
    return f"{where} hung up before its answer was complete; try again, or look at its log", True


def _reason(problem: BaseException) -> object:
    inner = problem.args[0] if isinstance(problem, requests.RequestException) and problem.args else problem
    return getattr(inner, "reason", None) or inner
