"""A web server that keeps what it is sent."""

from tests.receiver import receiver

__all__ = ["receiver"]
