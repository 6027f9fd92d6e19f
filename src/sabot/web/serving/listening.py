"""The address that the floor listens on: by default this machine alone, and beyond it only with TLS."""

import ipaddress
import re
from pathlib import Path
from typing import Annotated, Any

import msgspec

from sabot.basics.mistake import Mistake
from sabot.web.door.bounded_http import BoundedHttp
from sabot.web.serving.certificate import TlsFiles, tls_from_files, trial_certificate
from sabot.web.socket.fast_websocket import DirectProtocol

LOOPBACK = "127.0.0.1"
_HTTP, _HTTPS = 80, 443
_LABEL, _LONGEST_NAME = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"), 253


class Listening(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    host: str = LOOPBACK
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8080
    names: tuple[str, ...] = ()
    """Other names and addresses of this machine, such as `floor.casino.example`."""
    certificate: str = ""
    key: str = ""
    """Files in PEM form."""
    trial_folder: str = ""
    """The folder of a self-signed certificate for a trial, which is made if it is missing."""
    plain: bool = False
    """Whether TLS is provided elsewhere, such as by a proxy on a closed network."""

    @property
    def is_local(self) -> bool:
        return all(_is_loopback(host) for host in (self.host, *self.names))

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names and addresses by which devices reach this machine."""
        own = () if self.host in ("0.0.0.0", "::") else (self.host,)  # noqa: S104  It is only compared with.
        return tuple(dict.fromkeys((*own, *self.names, *(("localhost",) if self.is_local else ()))))

    def tls(self) -> TlsFiles | None:
        """The TLS files, if any; listening beyond this machine without them needs `plain`."""
        if not self.hosts:
            raise Mistake(f"on {self.host} devices reach this machine by many names: say in `names` by which they may")
        if bool(self.certificate) != bool(self.key):
            raise Mistake("certificate and key belong together: give both, or neither")
        if self.certificate:
            return tls_from_files(Path(self.certificate), Path(self.key))
        if self.trial_folder:
            return trial_certificate(Path(self.trial_folder), self.hosts)
        if not self.is_local and not self.plain:
            raise Mistake(f"{self.host} is not this machine alone: give a certificate, or a trial_folder for a trial")
        return None

    def origins(self, *, tls: bool) -> tuple[str, ...]:
        """The exact origins of the pages that this server serves."""
        scheme, usual = ("https", _HTTPS) if tls else ("http", _HTTP)
        port = "" if self.port == usual else f":{self.port}"
        return tuple(f"{scheme}://{f'[{host}]' if ':' in host else host}{port}" for host in self.hosts)


def server_options(listening: Listening, tls: TlsFiles | None) -> dict[str, Any]:
    """The options for uvicorn. Client addresses are those of the network; headers that claim others are ignored."""
    secured = {"ssl_certfile": str(tls.certificate), "ssl_keyfile": str(tls.key)} if tls else {}
    return {
        "host": listening.host,
        "port": listening.port,
        "loop": "uvloop",
        "http": BoundedHttp,
        "ws": DirectProtocol,
        "ws_per_message_deflate": False,
        "proxy_headers": False,
        "server_header": False,
        "timeout_graceful_shutdown": 5,
        **secured,
    }


def is_host_name(name: str) -> bool:
    """Whether a browser can reach a machine by it: a name as in the DNS, or an address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        labels = name.removesuffix(".").split(".")
        return len(name) <= _LONGEST_NAME and all(_LABEL.fullmatch(label) for label in labels)
    return True


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
