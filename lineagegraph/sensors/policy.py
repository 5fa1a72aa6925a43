"""What an installation lets sensors look at."""

from dataclasses import dataclass
from typing import Self

from lineagegraph.sensors.hosts import Hosts
from lineagegraph.sensors.roots import Roots
from lineagegraph.settings import Settings


@dataclass(frozen=True)
class Policy:
    """Paths and hosts; a sensor is judged by it where it is stated, and at each look again."""

    roots: Roots
    hosts: Hosts

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return what the settings say."""
        hosts = Hosts(settings.sensor_http_allow, settings.sensor_http_deny)
        return cls(Roots(settings.sensor_roots), hosts)
