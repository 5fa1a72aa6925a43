"""The policy of an installation: paths and hosts that sensors may poke."""

from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from lineagegraph.sensors.hosts import Hosts
from lineagegraph.sensors.names import look_up
from lineagegraph.sensors.roots import Roots
from lineagegraph.settings import Settings

_SERVERS = ("http", "https", "webhdfs", "ftp", "sftp", "ssh", "smb")


@dataclass(frozen=True)
class SensorPolicy:
    """Paths and hosts; a sensor is checked when it is stated, and again at each poke."""

    roots: Roots
    hosts: Hosts

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

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the policy of the settings."""
        hosts = Hosts(settings.sensor_http_allow, settings.sensor_http_deny)
        return cls(Roots(settings.sensor_roots), hosts)
