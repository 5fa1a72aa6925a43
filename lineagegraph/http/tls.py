"""TLS of the HTTP server, with certificates that can be replaced while it runs."""

import ssl
import time
from pathlib import Path
from typing import NamedTuple

import structlog

from lineagegraph.errors import SettingsError
from lineagegraph.settings import Settings

log = structlog.get_logger()
_CHECK_SECONDS = 1.0
_Stamp = tuple[tuple[int, int, int], ...]


class TlsFiles(NamedTuple):
    """The files of a certificate chain, its key, and the password of the key, if it has one."""

    certificate: Path
    key: Path
    password: Path | None

    def load(self) -> ssl.SSLContext:
        """Return a context of TLS 1.2 or later; raise `SettingsError` if the files do not fit."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        password = self._read_password()
        try:
            # A function, as OpenSSL would ask the terminal for a password that is missing.
            context.load_cert_chain(self.certificate, self.key, lambda: password)
        except (OSError, ValueError) as error:
            raise SettingsError(self._describe(error)) from None
        return context

    def stamp(self) -> _Stamp:
        """Return what changes when a file is replaced; nothing if one is missing."""
        try:
            found = [path.stat() for path in self if path is not None]
        except OSError:
            return ()
        return tuple((one.st_mtime_ns, one.st_ino, one.st_size) for one in found)

    def _read_password(self) -> str:
        for name, path in (("tls_certificate", self.certificate), ("tls_key", self.key)):
            _read(name, path)
        found = _read("tls_key_password_file", self.password) if self.password else b""
        return found.decode(errors="replace").rstrip("\r\n")

    def _describe(self, error: OSError | ValueError) -> str:
        reason = getattr(error, "reason", None) or str(error)
        if reason == "KEY_VALUES_MISMATCH":
            return (
                f"setting tls_key: {self.key} is not the key of {self.certificate}: set the key "
                "with which this certificate was made"
            )
        if not _parses(self.certificate):
            return (
                f"setting tls_certificate: {self.certificate} has no certificate: it must be PEM, "
                "the server's certificate first, then those that signed it"
            )
        return (
            f"setting tls_key: {self.key} cannot be read ({reason}): it must be a PEM key; "
            "tls_key_password_file names the file of its password"
        )


class ReloadedTls:
    """A context for a server; new connections use new files within a second of their change.

    Files that do not fit each other, as while they are being replaced, change nothing.
    """

    def __init__(self, files: TlsFiles) -> None:
        self._files = files
        self._stamp = files.stamp()
        self._current = files.load()
        self._refused: _Stamp | None = None
        self._checked_at = time.monotonic()
        self.context = files.load()
        # It is called in each handshake. To load files into the context in use would leave it
        # without any key if they do not fit.
        self.context.sni_callback = self._choose

    def _choose(self, connection: ssl.SSLObject, name: str | None, _: ssl.SSLContext) -> None:
        if time.monotonic() - self._checked_at >= _CHECK_SECONDS:
            self._checked_at = time.monotonic()
            self._reload()
        connection.context = self._current

    def _reload(self) -> None:
        stamp = self._files.stamp()
        if stamp in (self._stamp, self._refused):
            return
        try:
            self._current = self._files.load()
        except SettingsError as error:
            self._refused = stamp
            log.warning("certificate_not_reloaded", error=str(error))
            return
        self._stamp, self._refused = stamp, None
        log.info("certificate_reloaded", certificate=str(self._files.certificate))


def load_tls(settings: Settings) -> ReloadedTls | None:
    """Return the TLS of the settings, or None; raise `SettingsError` if they do not fit."""
    certificate, key = settings.tls_certificate, settings.tls_key
    if certificate is None and key is None:
        return None
    if certificate is None or key is None:
        lacking = "tls_certificate" if certificate is None else "tls_key"
        raise SettingsError(f"setting {lacking}: TLS needs tls_certificate and tls_key: set both")
    return ReloadedTls(TlsFiles(certificate, key, settings.tls_key_password_file))


def _read(setting: str, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsError(
            f"setting {setting}: {path} cannot be read ({error.strerror}): name a file that this "
            "user can read"
        ) from None


def _parses(certificate: Path) -> bool:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(certificate)
    except (OSError, ValueError):
        return False
    return True
