"""An http sensor asks a server, whom the policy allows, and believes only what it says."""

import json
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

from lineagegraph import on
from lineagegraph.errors import InvalidSensor, PokeFailed
from lineagegraph.sensors import SensorPolicy, make_sensor, sensor_id
from lineagegraph.settings import Settings
from tests.integration.sensors.looks import look
from tests.integration.sensors.web import Reply, Web, serving


@pytest.fixture
def web() -> Iterator[Web]:
    """A server on loopback."""
    with serving() as server:
        yield server


def test_it_is_true_once_the_server_has_it(web: Web) -> None:
    assert not look("http", url=web.url("/x"))
    web.replies["/x"] = Reply(204)
    assert look("http", url=web.url("/x"))
    assert look("http", url=web.url("/x"), method="HEAD")


@pytest.mark.parametrize(
    ("status", "is_there"), [(200, False), (202, True), ("2xx", True), ([201, "202"], True)]
)
def test_the_statuses_that_count_may_be_said(web: Web, status: Any, is_there: bool) -> None:
    web.replies["/x"] = Reply(202)
    assert look("http", url=web.url("/x"), status=status) is is_there


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_a_server_that_did_not_look_said_nothing(web: Web, status: int) -> None:
    web.replies["/x"] = Reply(status)
    with pytest.raises(PokeFailed, match=rf"GET http://127\.0\.0\.1:\d+/x: status {status}"):
        look("http", url=web.url("/x"))
    assert look("http", url=web.url("/x"), status=status)


def test_the_answer_is_tested(web: Web) -> None:
    said = {"jobs": [{"state": "RUNNING", "rows": 5}], "a.b": 1, "list": []}
    web.replies["/x"] = Reply(body=json.dumps(said).encode())

    def is_there(*tests: Any) -> bool:
        return look("http", url=web.url("/x"), where=tests)

    assert is_there(on.key("jobs.0.state") == "RUNNING", on.key("jobs.0.rows") > 4)
    assert is_there({"key": "a.b", "test": "=", "value": 1})
    assert look("http", url=web.url("/x"), where=on.key("a.b") == 1)
    assert not is_there(on.key("jobs.0.state") == "RUNNING", on.key("jobs.0.rows") > 5)
    assert not is_there(on.key("jobs.1.state").exists())
    assert not is_there(on.key("jobs.state").exists())
    assert not is_there(on.key("list").not_empty())
    assert is_there(on.key("$").not_empty())


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"a": ', b"[" * 100_000])
def test_an_answer_that_is_no_json_is_an_error(web: Web, body: bytes) -> None:
    web.replies["/x"] = Reply(body=body)
    with pytest.raises(PokeFailed, match="the response is not JSON"):
        look("http", url=web.url("/x"), where=[on.key("a").exists()])


def test_an_answer_that_is_too_large_is_not_read(web: Web) -> None:
    web.replies["/x"] = Reply(body=b'"' + b"x" * 2_000_000 + b'"')
    with pytest.raises(PokeFailed, match="more than 1,000 bytes"):
        look(
            "http",
            url=web.url("/x"),
            where=[on.key("$").exists()],
            settings={"sensor_http_bytes": 1_000},
        )
    assert look("http", url=web.url("/x"), settings={"sensor_http_bytes": 1_000})


def test_a_body_is_posted_as_json(web: Web) -> None:
    web.replies["/x"] = Reply(body=b'{"hits": 1}')
    body = {"query": {"day": "2026-01-01"}}
    assert look("http", url=web.url("/x"), method="POST", body=body, where=[on.key("hits") > 0])
    method, _, headers, sent = web.asked[0]
    assert (method, json.loads(sent), headers["content-type"]) == ("POST", body, "application/json")


def test_a_server_that_never_answers_ends_with_the_time(web: Web) -> None:
    web.replies["/x"] = Reply(hangs=True)
    with pytest.raises(PokeFailed, match=r"no answer within 0\.3s"):
        look("http", url=web.url("/x"), settings={"sensor_poke_seconds": 0.3})


def test_a_server_that_is_not_there_is_an_error(web: Web) -> None:
    url = web.url("/x")
    web.server_close()
    with pytest.raises(PokeFailed, match=r"127\.0\.0\.1:\d+ does not answer"):
        look("http", url=url)


def test_a_host_that_is_not_known_is_an_error() -> None:
    with pytest.raises(PokeFailed, match=r"host nobody\.invalid is not known"):
        look("http", url="http://nobody.invalid/x")


def test_redirects_are_followed_and_end(web: Web) -> None:
    web.replies["/x"] = Reply(302, headers=(("Location", "/y"),))
    web.replies["/y"] = Reply(200)
    assert look("http", url=web.url("/x"))
    assert look("http", url=web.url("/x"), status=302)
    web.replies["/y"] = Reply(302, headers=(("Location", "/x"),))
    with pytest.raises(PokeFailed, match="more than 5 redirects"):
        look("http", url=web.url("/x"))


def test_no_cookie_is_kept(web: Web) -> None:
    web.replies["/x"] = Reply(302, headers=(("Location", "/y"), ("Set-Cookie", "a=b")))
    web.replies["/y"] = Reply(200)
    assert look("http", url=web.url("/x"))
    assert "cookie" not in web.asked[1][2]


SECRET = "s3cr3t"


@pytest.fixture
def api(web: Web, monkeypatch: pytest.MonkeyPatch) -> str:
    """A connection to the server, with a secret."""
    said = {"url": web.url("/api"), "token": SECRET, "headers": {"X-Tenant": "me"}}
    monkeypatch.setenv("LINEAGEGRAPH_CONNECTION_API", json.dumps(said))
    return "api"


def test_a_connection_says_who_asks(web: Web, api: str) -> None:
    web.replies["/api/x?a=1"] = Reply()
    assert look("http", url="/x?a=1", connection=api)
    assert look("http", url=web.url("/api/x?a=1"), connection=api)
    for _, _, headers, _ in web.asked:
        assert (headers["authorization"], headers["x-tenant"]) == (f"Bearer {SECRET}", "me")


def test_a_user_and_a_password_are_sent_as_servers_want_them(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"url": web.url(""), "user": "me", "password": "pw"}
    monkeypatch.setenv("LINEAGEGRAPH_CONNECTION_API", json.dumps(said))
    web.replies["/x"] = Reply()
    assert look("http", url="/x", connection="api")
    assert web.asked[0][2]["authorization"] == "Basic bWU6cHc="


def test_no_other_server_is_told_the_secret(web: Web, api: str) -> None:
    with pytest.raises(PokeFailed, match="is not on the server of connection api"):
        look("http", url=web.url("/api/x", "localhost"), connection=api)
    with serving() as other:
        other.replies["/y"] = Reply()
        web.replies["/api/x"] = Reply(307, headers=(("Location", other.url("/y")),))
        assert look("http", url="/x", connection=api)
        assert SECRET not in str(other.asked)
        assert "x-tenant" not in other.asked[0][2]


def test_a_connection_with_a_query_has_it_behind_each_path(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"url": web.url("/api?key=1")}
    monkeypatch.setenv("LINEAGEGRAPH_CONNECTION_API", json.dumps(said))
    web.replies["/api/x?key=1"] = web.replies["/api/x?key=1&a=%20b"] = Reply()
    assert look("http", url="/x", connection="api")
    assert look("http", url="/x?a=%20b", connection="api")


def test_a_connection_without_a_server_has_no_secret_to_tell(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINEAGEGRAPH_CONNECTION_API", f'{{"token": "{SECRET}"}}')
    with pytest.raises(PokeFailed, match="connection api has no url") as caught:
        look("http", url=web.url("/x"), connection="api")
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0x7f.1", "2130706433", "0.0.0.0"])
def test_an_address_that_is_denied_is_not_asked_under_any_name(web: Web, host: str) -> None:
    web.replies["/x"] = Reply()
    denied = {"sensor_http_deny": ("127.0.0.0/8", "::1/128")}
    with pytest.raises(PokeFailed, match="sensors must not send requests to"):
        look("http", url=web.url("/x", host), settings=denied)
    assert not web.asked


def test_a_redirect_to_a_host_that_is_denied_is_not_followed(web: Web) -> None:
    web.replies["/x"] = Reply(302, headers=(("Location", "http://169.254.169.254/latest"),))
    with pytest.raises(PokeFailed, match=r"sensors must not send requests to 169\.254\.169\.254"):
        look("http", url=web.url("/x"))
    web.replies["/x"] = Reply(302, headers=(("Location", "file:///etc/passwd"),))
    with pytest.raises(PokeFailed, match="must begin with http"):
        look("http", url=web.url("/x"))


def test_a_file_of_unknown_size_is_an_error_if_its_size_matters(web: Web) -> None:
    web.replies["/x"] = Reply(headers=(("Transfer-Encoding", "chunked"),))
    assert look("file", path=web.url("/x"))
    with pytest.raises(PokeFailed, match="states no size"):
        look("file", path=web.url("/x"), min_bytes=1)


def test_a_file_on_the_web_is_asked_for_as_the_policy_says(web: Web) -> None:
    assert not look("file", path=web.url("/day=1"), marker="_SUCCESS")
    modified = ("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
    web.replies["/day=1/_SUCCESS"] = Reply(body=b"123", headers=(modified,))
    wanted = {"path": web.url("/day=1"), "marker": "_SUCCESS", "unchanged_for": 60}
    assert look("file", **wanted, min_bytes=3)
    assert not look("file", **wanted, min_bytes=4)
    with pytest.raises(PokeFailed, match="sensors must not send requests to"):
        look("file", **wanted, settings={"sensor_http_deny": ("127.0.0.1",)})
    web.replies["/x?a=*"] = Reply()
    assert look("file", path=web.url("/x?a=*"))
    web.replies["/day=1/_SUCCESS"] = Reply(500)
    with pytest.raises(PokeFailed, match="status 500"):
        look("file", **wanted)


def test_a_file_on_the_web_is_within_the_roots_wherever_it_is_led_to(web: Web) -> None:
    inside: dict[str, Any] = {"settings": {"sensor_roots": (web.url("/raw"),)}}
    web.replies["/raw/y"] = web.replies["/other"] = web.replies["/raw/%2e%2e/other"] = Reply()
    for place, is_inside in (("/raw/y", True), ("/other", False), ("%2e%2e/other", False)):
        web.replies["/raw/x"] = Reply(302, headers=(("Location", place),))
        if is_inside:
            assert look("file", path=web.url("/raw/x"), **inside)
        else:
            with pytest.raises(PokeFailed, match="outside the folders that sensors may read"):
                look("file", path=web.url("/raw/x"), **inside)


def test_a_file_on_the_web_is_judged_at_each_look(web: Web) -> None:
    web.replies["/x"] = Reply()
    for marker in (None, ".."):
        with pytest.raises(PokeFailed, match="outside the folders that sensors may read"):
            look(
                "file",
                path=web.url("/raw/x" if marker else "/x"),
                marker=marker,
                settings={"sensor_roots": (web.url("/raw"),)},
            )
    assert not web.asked


def test_certificates_are_judged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    with serving(context) as server:
        server.replies["/x"] = Reply()
        url = f"https://localhost:{server.port}/x"
        with pytest.raises(PokeFailed, match="certificate verify failed"):
            look("http", url=url)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        assert look("http", url=url)
        with pytest.raises(PokeFailed, match="certificate verify failed"):
            look("http", url=f"https://127.0.0.1:{server.port}/x")


def test_no_proxy_of_the_environment_is_asked(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    web.replies["/x"] = Reply()
    assert look("http", url=web.url("/x"))


def test_spellings_of_one_url_are_one_sensor() -> None:
    one = make_sensor("http", {"url": "HTTP://Host.Example:80/x#part", "headers": {"Accept": "a"}})
    other = make_sensor("http", {"url": "http://host.example/x", "headers": {"accept": "a"}})
    assert sensor_id(one) == sensor_id(other)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"url": "x"}, "must begin with http"),
        ({"url": "ftp://h/x"}, "must begin with http"),
        ({"url": "http://"}, "must begin with http"),
        ({"url": "http://h:port/x"}, "is not a URL"),
        ({"url": "http://me@h/x"}, "into a connection"),
        ({"url": "/x"}, "must begin with http"),
        ({"url": "http://h", "method": "DELETE"}, "Invalid enum value 'DELETE'"),
        ({"url": "http://h", "status": "ok"}, "status 'ok' is not a status"),
        ({"url": "http://h", "status": []}, "'' is not a status"),
        ({"url": "http://h", "body": 1}, "only POST has a body"),
        (
            {
                "url": "http://h",
                "method": "HEAD",
                "where": [{"key": "a", "test": "exists"}],
            },
            "response to HEAD has no body",
        ),
        ({"url": "http://h", "where": [{"key": "", "test": "exists"}]}, "name of a key"),
        ({"url": "http://h", "where": [{"key": "a", "test": "matches", "value": "("}]}, "regular"),
    ],
)
def test_what_asks_nothing_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSensor, match=said):
        make_sensor("http", fields)


@pytest.mark.parametrize(
    ("url", "allow", "deny", "is_allowed"),
    [
        ("http://a.example", (), (), True),
        ("http://10.1.2.3", (), (), True),
        ("http://169.254.169.254", (), (), False),
        ("http://[fe80::1]", (), (), False),
        ("http://[::ffff:169.254.169.254]", (), (), False),
        ("http://[64:ff9b::a9fe:a9fe]", (), (), False),
        ("http://[64:ff9b::a01:203]", (), ("10.0.0.0/8",), False),
        ("http://169.254.169.254", ("169.254.0.0/16",), (), True),
        ("http://169.254.169.254", ("10.0.0.0/8",), (), False),
        ("http://10.1.2.3", ("10.0.0.0/8",), ("10.1.0.0/16",), False),
        ("http://10.2.2.3", ("10.0.0.0/8",), ("10.1.0.0/16",), True),
        ("http://a.example", ("*.example",), (), True),
        ("http://A.Example.", ("a.example",), (), True),
        ("http://b.example", ("a.example",), (), False),
        ("http://b.example", ("a.example", "10.0.0.0/8"), (), True),
        ("http://b.example", (), ("*.example",), False),
        ("http://b.example", ("b.example",), ("*.example",), False),
    ],
)
def test_a_host_is_judged_where_it_is_stated(
    url: str, allow: tuple[str, ...], deny: tuple[str, ...], is_allowed: bool
) -> None:
    policy = SensorPolicy.of(Settings(sensor_http_allow=allow, sensor_http_deny=deny))
    sensors = [make_sensor("http", {"url": url}), make_sensor("file", {"path": f"{url}/x?a=1"})]
    if "[" not in url:
        sensors.append(make_sensor("file", {"path": f"webhdfs://{url.partition('://')[2]}/x"}))
    for sensor in sensors:
        if is_allowed:
            sensor.permit(policy)
        else:
            with pytest.raises(InvalidSensor, match="sensors must not send requests to"):
                sensor.permit(policy)


def test_a_name_that_only_may_lead_to_what_is_allowed_is_judged_by_its_address(
    web: Web, tmp_path: Path
) -> None:
    web.replies["/x"] = Reply()
    assert look(
        "http", url=web.url("/x", "localhost"), settings={"sensor_http_allow": ("127.0.0.0/8",)}
    )
    with pytest.raises(PokeFailed, match=r"sensors must not send requests to localhost \(.*\)"):
        look(
            "http", url=web.url("/x", "localhost"), settings={"sensor_http_allow": ("10.0.0.0/8",)}
        )
