"""Signatures of pickled code: who loads it, executes it, so that it must come from here.

The key is one of the installation: hosts that share a graph share the key too.
"""

import hashlib
import hmac
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from lineagegraph.errors import SettingsError, UnsignedCode
from lineagegraph.settings import Settings, load_settings

_BYTES = 32
_OTHERS = stat.S_IWGRP | stat.S_IRWXO
_FOLDER = stat.S_IRWXU


def sign(purpose: str, content: bytes) -> str:
    """Return the HMAC-SHA256 of content for one purpose; the key is made if there is none."""
    return _mac(_key(load_settings()), purpose, content)


def check_signature(purpose: str, content: bytes, signature: str | None, what: str) -> None:
    """Raise `UnsignedCode` unless content has a signature of this installation's key."""
    settings = load_settings()
    if not signature:
        raise UnsignedCode(f"{what} is not signed: sync its definition again")
    if not hmac.compare_digest(_mac(_key(settings), purpose, content), signature):
        raise UnsignedCode(
            f"{what} was changed, or signed with another key than this host's "
            f"({key_file(settings)}): copy the key of the host that synced it here (setting "
            "signing_key_file), or sync its definition again with this one"
        )


def key_file(settings: Settings) -> Path:
    """Return the file of the key."""
    return settings.signing_key_file or settings.home / "signing.key"


def _mac(key: bytes, purpose: str, content: bytes) -> str:
    return hmac.new(key, purpose.encode() + b"\0" + content, hashlib.sha256).hexdigest()


def _key(settings: Settings) -> bytes:
    file = key_file(settings)
    try:
        if settings.signing_key_file is None and not file.exists():
            _make(file)
        if file.stat().st_mode & _OTHERS:
            raise SettingsError(f"others may read or change {file}, a key (`chmod 600 {file}`)")
        key = bytes.fromhex(file.read_text().strip())
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else "it has no key in hexadecimal"
        # A text after `signing.key:` would be masked as a secret.
        raise SettingsError(f"no key in {file} ({said}; setting signing_key_file)") from None
    if len(key) < _BYTES:
        raise SettingsError(f"the key in {file} has less than {_BYTES} bytes: make another one")
    return key


def _make(file: Path) -> None:
    """Make the key once: of several processes that do it at once, one wins."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=_FOLDER)
    part = file.with_name(f"{file.name}.{uuid4().hex}.part")
    try:
        with open(part, "x", opener=_private) as target:
            target.write(secrets.token_hex(_BYTES) + "\n")
            target.flush()
            os.fsync(target.fileno())
        with suppress(FileExistsError):
            os.link(part, file)  # unlike a rename, it never replaces a key that is in use
    finally:
        part.unlink(missing_ok=True)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
