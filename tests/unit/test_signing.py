"""The key that signs pickled code."""

import stat
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from lineagegraph.errors import SettingsError, UnsignedCode
from lineagegraph.secrets import mask_text
from lineagegraph.settings import load_settings
from lineagegraph.signing import check_signature, sign

UseHome = Callable[[Path], Path]


@pytest.fixture
def use_home(monkeypatch: pytest.MonkeyPatch) -> UseHome:
    """Use a home with a key of its own, and return the file of that key."""

    def use(home: Path) -> Path:
        monkeypatch.delenv("LINEAGEGRAPH_SIGNING_KEY_FILE", raising=False)
        monkeypatch.setenv("LINEAGEGRAPH_HOME", str(home))
        load_settings.cache_clear()
        return home / "signing.key"

    return use


def _sign(number: int) -> str:
    return sign("x", b"content")


def test_processes_that_need_a_key_at_once_make_one(use_home: UseHome, tmp_path: Path) -> None:
    file = use_home(tmp_path / "home")
    with ProcessPoolExecutor(4, mp_context=get_context("fork")) as pool:
        assert len(set(pool.map(_sign, range(8)))) == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_what_another_key_or_purpose_signed_is_refused(use_home: UseHome, tmp_path: Path) -> None:
    use_home(tmp_path / "a")
    signature = sign("x", b"content")
    check_signature("x", b"content", signature, "it")
    for purpose, content in (("y", b"content"), ("x", b"contents")):
        with pytest.raises(UnsignedCode, match="it was changed, or signed with another key"):
            check_signature(purpose, content, signature, "it")
    use_home(tmp_path / "b")
    with pytest.raises(
        UnsignedCode, match=r"copy the key .*\(setting signing_key_file\), or sync"
    ) as other:
        check_signature("x", b"content", signature, "it")
    assert mask_text(str(other.value)) == str(other.value)
    with pytest.raises(UnsignedCode, match="it is not signed: sync its definition again"):
        check_signature("x", b"content", None, "it")


def test_a_key_that_others_read_or_that_is_none_is_refused(
    use_home: UseHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = use_home(tmp_path)
    sign("x", b"")
    file.chmod(0o644)
    with pytest.raises(SettingsError, match=r"others may read or change .*chmod 600") as others:
        sign("x", b"")
    assert mask_text(str(others.value)) == str(others.value)
    file.chmod(0o600)
    for text, said in (("5e5e", "less than 32 bytes"), ("key", "no key in hexadecimal")):
        file.write_text(text)
        with pytest.raises(SettingsError, match=said) as none:
            sign("x", b"")
        assert mask_text(str(none.value)) == str(none.value)
    monkeypatch.setenv("LINEAGEGRAPH_SIGNING_KEY_FILE", str(tmp_path / "missing"))
    load_settings.cache_clear()
    with pytest.raises(SettingsError, match="No such file"):
        sign("x", b"")
    assert not (tmp_path / "missing").exists()
