"""Where a cluster's scheduler is, and who may be talked to: off this machine only over TLS with certificates.

Whoever reaches a scheduler can have any code run on its workers: that is what a scheduler is for. So an address
that is not this machine's own is refused without TLS, where both sides prove who they are.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from batllm_arcade.errors import UsageError

LOCAL = "local"
"""The address that starts a cluster on this machine, for a try."""


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """A scheduler's address, or `local`, and the files that prove who one is."""

    address: str
    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    def check(self) -> None:
        """Raise UsageError if the address is malformed, or off this machine without TLS, or a file is missing."""
        files = {"--tls-ca": self.ca, "--tls-cert": self.cert, "--tls-key": self.key}
        for option, path in files.items():
            if path is not None and not path.is_file():
                raise UsageError(f"{option} takes a file, and there is no {str(path)!r}")
        missing = [option for option, path in files.items() if path is None]
        if missing and len(missing) < len(files):
            raise UsageError(f"TLS needs --tls-ca, --tls-cert and --tls-key; {missing[0]} is missing")
        if self.address == LOCAL:
            return
        scheme, host, port = _parts(self.address)
        if scheme not in ("tcp", "tls") or not host or port is None:
            raise UsageError(f"--cluster takes tls://HOST:PORT (or 'local'), not {self.address!r}")
        if scheme == "tcp" and not is_loopback(host):
            raise UsageError(
                f"{self.address!r} is not this machine, and who reaches a scheduler can run anything on its workers; "
                "use tls://HOST:PORT with --tls-ca, --tls-cert and --tls-key"
            )
        if scheme == "tls" and missing:
            raise UsageError("tls:// needs --tls-ca, --tls-cert and --tls-key")


def _parts(address: str) -> tuple[str, str, int | None]:
    try:
        parts = urlsplit(address)
        return parts.scheme, parts.hostname or "", parts.port
    except ValueError:
        return "", "", None


def is_loopback(host: str) -> bool:
    """Return whether a host's name or address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
