"""A name below a wildcard must not lead a confined sensor to this machine."""

from ipaddress import ip_address

import psutil
import pytest

from lineagegraph.errors import InvalidSensor
from lineagegraph.sensors.hosts import Hosts

OWN = [
    one.address.partition("%")[0]
    for some in psutil.net_if_addrs().values()
    for one in some
    if one.family.name in ("AF_INET", "AF_INET6")
]


@pytest.mark.parametrize("own", OWN)
def test_a_wildcard_allows_no_address_of_this_machine_and_a_name_does(own: str) -> None:
    address = ip_address(own)
    with pytest.raises(InvalidSensor, match="must not send requests"):
        Hosts(("*.example.com",), confined=True).check_address("evil.example.com", address)
    named = ("here.example.com", f"{own}/{address.max_prefixlen}")
    Hosts(named, confined=True).check_address("here.example.com", address)


def test_a_wildcard_allows_other_addresses_of_a_network_of_ones_own() -> None:
    Hosts(("*.example.com",), confined=True).check_address(
        "wiki.example.com", ip_address("10.255.255.254")
    )
