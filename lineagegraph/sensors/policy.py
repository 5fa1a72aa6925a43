"""The policy of an installation: paths and hosts that sensors may poke."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit

from lineagegraph.sensors.hosts import Address, Hosts
from lineagegraph.sensors.names import look_up
from lineagegraph.sensors.roots import Roots, is_url
from lineagegraph.settings import Settings

_SERVERS = ("http", "https", "webhdfs", "ftp", "sftp", "ssh", "smb")
_SERVER_OPTIONS = ("host", "endpoint")


@dataclass(frozen=True)
class SensorPolicy:
    """Paths and hosts; a sensor is checked when it is stated, and again at each poke.

    A `confined` policy is for sensors that a token stated: nothing is permitted that the settings
    do not name.
    """

    roots: Roots
    hosts: Hosts
    confined: bool = False

    def check_path(self, path: str) -> None:
        """Raise `InvalidSensor` for a path outside of the roots, or of a server not to be asked."""
        self.roots.check(path)
        parts = urlsplit(path)
        if parts.scheme in _SERVERS:
            self.hosts.check_name(parts.hostname or "")

    def check_address(self, path: str) -> None:
        """Raise `InvalidSensor` if the server of a path has a denied address.

        Resolving its name may block. HTTP addresses are checked when they are connected.
        """
        parts = urlsplit(path)
        if parts.scheme in _SERVERS and parts.hostname:
            for address in look_up(parts.hostname):
                self.hosts.check_address(parts.hostname, address)

    def check_host(self, host: str) -> list[Address]:
        """Return the addresses of a host, all of them permitted; resolving its name may block."""
        self.hosts.check_name(host)
        found = look_up(host)
        for address in found:
            self.hosts.check_address(host, address)
        return found

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Raise `InvalidSensor` for options of a file system that name a server not to be asked."""
        for name, value in options.items():
            if isinstance(value, Mapping):
                self.check_options(value)
            elif isinstance(value, str) and (is_url(value) or name in _SERVER_OPTIONS):
                self.check_host(urlsplit(value if is_url(value) else f"//{value}").hostname or "")

    @classmethod
    def of(cls, settings: Settings, *, confined: bool = False) -> Self:
        """Return the policy of the settings."""
        allow, deny = settings.sensor_http_allow, settings.sensor_http_deny
        roots = Roots(settings.sensor_roots, confined=confined)
        return cls(roots, Hosts(allow, deny, confined), confined)
