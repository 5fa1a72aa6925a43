"""Which hosts sensors may ask over HTTP: judged by name, and by the address that it leads to."""

import re
import socket
from dataclasses import dataclass
from fnmatch import fnmatchcase
from glob import has_magic
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import psutil

from lineagegraph.errors import InvalidSensor

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# Where clouds tell machines their credentials.
METADATA = tuple(
    ip_network(one)
    for one in (
        "169.254.0.0/16",  # AWS, Azure, Google, OpenStack
        "fe80::/10",
        "fd00:ec2::254/128",  # AWS
        "fd20:ce::254/128",  # Google
        "100.100.100.200/32",  # Alibaba
        "168.63.129.16/32",  # Azure
        "192.0.0.192/32",  # Oracle
    )
)


@dataclass(frozen=True)
class Hosts:
    """Patterns of names, and networks. A denied host is denied, even if it is allowed too.

    Metadata addresses of clouds, which give out credentials, need a network of their own in
    `allow`. With `confined` no host is allowed that `allow` does not name.
    """

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    confined: bool = False

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
        denied = _has(self.deny, found) or (_is_metadata(found) and not self._has_metadata(found))
        if denied or (self._is_limited and not self._allows(host, found)):
            raise self._forbidden(f"{host} ({found})" if str(found) != host else host)

    @property
    def _is_limited(self) -> bool:
        return self.confined or bool(self.allow)

    def _allows(self, host: str, address: Address) -> bool:
        if _has(self.allow, address):
            return True
        # A name below a wildcard's domain can be made to lead to this machine.
        rules = _exact(self.allow) if self.confined and _is_own(address) else self.allow
        return _names(rules, host)

    def _has_metadata(self, address: Address) -> bool:
        """Return whether a rule names a metadata network itself, not only one around it."""
        return _has(tuple(one for one in self.allow if _is_within_metadata(one)), address)

    def _may_be_allowed(self, host: str) -> bool:
        """A name that no pattern has may still lead to an address of a network."""
        return not self._is_limited or _names(self.allow, host) or any(map(as_network, self.allow))

    def _forbidden(self, what: str) -> InvalidSensor:
        needed = "name it in setting sensor_http_allow" if self.confined else _SETTINGS
        return InvalidSensor(f"sensors must not send requests to {what} ({needed})")


_SETTINGS = "settings sensor_http_allow and sensor_http_deny"


def as_address(host: str) -> Address | None:
    """Return the address that a host is, None if it is a name.

    It may have the forms that resolvers accept too: `0x7f.1`, `017700000001`, `2130706433`.
    """
    plain = host.strip("[]").partition("%")[0].rstrip(".")
    try:
        return ip_address(plain)
    except ValueError:
        return _as_number(plain)


def _as_number(host: str) -> IPv4Address | None:
    if not _NUMBERS.fullmatch(host):
        return None
    try:
        return IPv4Address(socket.inet_aton(host))
    except OSError:
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


def _exact(rules: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(rule for rule in rules if not has_magic(rule))


def _is_own(address: Address) -> bool:
    """Return whether an address is one of this machine."""
    if address.is_loopback:
        return True
    own = (one.address for some in psutil.net_if_addrs().values() for one in some)
    return str(address) in {text.partition("%")[0] for text in own}


def _is_metadata(address: Address) -> bool:
    return any(address in network for network in METADATA)


def _is_within_metadata(rule: str) -> bool:
    network = as_network(rule)
    return network is not None and any(
        network.version == one.version and network.subnet_of(one)  # type: ignore[arg-type]
        for one in METADATA
    )


def _plain(address: Address) -> Address:
    """Return the address that is reached: IPv4 inside IPv6, or this machine for `0.0.0.0`."""
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address.sixtofour or _inside(address) or address
    return _THIS_MACHINE if address.is_unspecified else address


def _inside(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that is the end of an IPv6 address, as NAT64 writes it."""
    if any(address in network for network in _NAT64) and int(address) > 1:
        return IPv4Address(address.packed[-4:])
    return None


_THIS_MACHINE = IPv4Address("127.0.0.1")
# The last one is the old "IPv4-compatible" form, `::169.254.169.254`; `::1` is not of it.
_NAT64 = tuple(map(IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "::/96")))
_NUMBERS = re.compile(r"(0[xX][0-9a-fA-F]*|[0-9]+)(\.(0[xX][0-9a-fA-F]*|[0-9]+)){0,3}")
