"""Receivers: a web server, and a mail server that keeps what it is given."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from tests.receiver import receiver

__all__ = ["receiver"]


@dataclass
class Mailbox:
    """A mail server."""

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    logins: list[tuple[bytes, bytes]] = field(default_factory=list)

    def __call__(
        self, server: Any, session: Any, envelope: Any, how: str, given: Any
    ) -> AuthResult:
        self.logins.append((given.login, given.password))
        return AuthResult(success=True)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 taken"


class OnFreePort(Controller):
    """Tells itself that it is ready under the port that it got."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextmanager
def serving(**options: Any) -> Iterator[Mailbox]:
    found = Mailbox()
    controller = OnFreePort(found, hostname="127.0.0.1", port=0, authenticator=found, **options)
    controller.start()
    found.port = controller.port
    yield found
    controller.stop()


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    """A mail server without TLS."""
    with serving() as found:
        yield found


@pytest.fixture
def safe_mailbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mailbox]:
    """A mail server that turns to TLS when it is asked to, with a certificate for 127.1."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.1").configure_cert(tls)
    with serving(tls_context=tls) as found:
        yield found
