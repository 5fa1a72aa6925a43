"""A web server that keeps what it is sent."""

from tests.integration.notifications.conftest import receiver

__all__ = ["receiver"]
