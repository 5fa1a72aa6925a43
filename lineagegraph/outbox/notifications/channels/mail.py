"""E-mail by SMTP."""

import smtplib
import socket
import ssl
from email.message import EmailMessage
from urllib.parse import SplitResult, unquote, urlsplit

import structlog

from lineagegraph.errors import NotDelivered, SettingsError
from lineagegraph.outbox.notifications.channels.channel import SECONDS
from lineagegraph.outbox.notifications.message import Message

log = structlog.get_logger()
_HERE = ("localhost", "127.0.0.1", "::1")


class MailChannel:
    """Send mail through the server of `mailto:a@x,b@y?smtp=[smtps://][user:password@]host[:port]`.

    Mail to another machine is encrypted if the server supports it; a password is never sent
    unencrypted.
    """

    def __init__(self, address: str, seconds: float = SECONDS) -> None:
        to, _, query = address.partition(":")[2].partition("?")
        options = {name: value for name, _, value in (p.partition("=") for p in query.split("&"))}
        self._to = [unquote(one) for one in to.split(",")]
        self._from = unquote(options.pop("from", f"lineagegraph@{socket.getfqdn()}"))
        self._server = _server(options.pop("smtp", ""))
        self._seconds = seconds
        if not all("@" in one for one in (*self._to, self._from)) or set(options) - {""}:
            raise SettingsError("a mail route is written mailto:WHO@WHERE?smtp=HOST:PORT&from=WHO")

    def send(self, message: Message) -> None:
        """Send to all recipients; raise `NotDelivered` if the server accepts none."""
        with self._connect() as server:
            self._login(server)
            refused = self._send(server, message)
        if refused:
            log.warning("mail_refused", notification=message.id, recipients=len(refused))

    def _send(self, server: smtplib.SMTP, message: Message) -> dict[str, tuple[int, bytes]]:
        try:
            return server.send_message(self._mail(message))
        except smtplib.SMTPRecipientsRefused as error:
            # Without their addresses: the error is stored and shown.
            codes = ", ".join(
                str(code) for code in sorted({one[0] for one in error.recipients.values()})
            )
            raise NotDelivered(f"the mail server refused all recipients ({codes})") from None
        except smtplib.SMTPSenderRefused as error:
            raise NotDelivered(f"the mail server refused the sender ({error.smtp_code})") from None

    def _mail(self, message: Message) -> EmailMessage:
        mail = EmailMessage()
        mail["From"] = self._from
        mail["To"] = ", ".join(self._to)
        mail["Subject"] = f"[lineagegraph] {_one_line(message.title)}"
        mail["Date"] = message.at
        mail["Message-ID"] = f"<{message.id}@lineagegraph>"
        mail.set_content(message.text)
        return mail

    def _connect(self) -> smtplib.SMTP:
        host, port = self._server.hostname or "", self._server.port
        if self._server.scheme == "smtps":
            safe = ssl.create_default_context()
            return smtplib.SMTP_SSL(host, port or 465, timeout=self._seconds, context=safe)
        return smtplib.SMTP(host, port or 25, timeout=self._seconds)

    def _login(self, server: smtplib.SMTP) -> None:
        is_safe = self._server.scheme == "smtps" or self._server.hostname in _HERE
        server.ehlo_or_helo_if_needed()
        if not is_safe and server.has_extn("starttls"):
            server.starttls(context=ssl.create_default_context())
            is_safe = True
        if self._server.username:
            if not is_safe:
                raise NotDelivered("the mail server offers no TLS, and gets no password without it")
            server.login(unquote(self._server.username), unquote(self._server.password or ""))


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _server(text: str) -> SplitResult:
    server = urlsplit(text if "://" in text else f"smtp://{text}")
    try:
        known = server.scheme in ("smtp", "smtps") and server.hostname and server.port != 0
    except ValueError:
        known = False
    if not known:
        raise SettingsError("a mail route names its server: smtp=HOST:PORT or smtp=smtps://HOST")
    return server
