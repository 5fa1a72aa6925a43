"""Which hosts sensors may ask over HTTP: judged by name, and by the address that it leads to."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from lineagegraph.errors import InvalidSensor

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# Where clouds tell machines their credentials.
METADATA = tuple(
    ip_network(one)
    for one in ("169.254.0.0/16", "fe80::/10", "fd00:ec2::254/128", "100.100.100.200/32")
)


@dataclass(frozen=True)
class Hosts:
    """Patterns of names, and networks. A denied host is denied, even if it is allowed too.

    Metadata addresses of clouds, which give out credentials, need a network in `allow`.
    """

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()

    def check_name(self, host: str) -> None:
        """Raise `InvalidSensor` for a host that is denied by its name."""
        address = as_address(host)
        if address is not None:
            self.check_address(host, address)
        elif _names(self.deny, host) or not (self._may_be_allowed(host)):
            raise self._forbidden(host)

    def check_address(self, host: str, address: Address) -> None:
        """Raise `InvalidSensor` for an address that may not be asked for a host."""
        found = _plain(address)
        allowed = _has(self.allow, found)
        is_metadata = any(found in network for network in METADATA)
        denied = _has(self.deny, found) or (is_metadata and not allowed)
        if denied or (self.allow and not allowed and not _names(self.allow, host)):
            raise self._forbidden(f"{host} ({found})" if str(found) != host else host)

    def _may_be_allowed(self, host: str) -> bool:
        """A name that no pattern has may still lead to an address of a network."""
        return not self.allow or _names(self.allow, host) or any(map(as_network, self.allow))

    def _forbidden(self, what: str) -> InvalidSensor:
        return InvalidSensor(
            f"sensors must not send requests to {what} (settings sensor_http_allow and "
            "sensor_http_deny)"
        )


def as_address(host: str) -> Address | None:
    """Return the address that a host is, None if it is a name."""
    try:
        return ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return None


def as_network(rule: str) -> Network | None:
    """Return the network that a rule is, None if it is a pattern of names."""
    try:
        return ip_network(rule, strict=False)
    except ValueError:
        return None


def _has(rules: tuple[str, ...], address: Address) -> bool:
    networks = [network for network in map(as_network, rules) if network is not None]
    return any(address in network for network in networks)


def _names(rules: tuple[str, ...], host: str) -> bool:
    said = host.lower().rstrip(".")
    return any(fnmatchcase(said, rule.lower()) for rule in rules if as_network(rule) is None)


def _plain(address: Address) -> Address:
    """Return the address that is reached: IPv4 inside IPv6, or this machine for `0.0.0.0`."""
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address.sixtofour or _behind_nat64(address) or address
    return _THIS_MACHINE if address.is_unspecified else address


def _behind_nat64(address: IPv6Address) -> IPv4Address | None:
    return IPv4Address(address.packed[-4:]) if address in _NAT64 else None


_THIS_MACHINE = IPv4Address("127.0.0.1")
_NAT64 = IPv6Network("64:ff9b::/96")
