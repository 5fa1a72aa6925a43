"""The address of the page, for links from elsewhere."""

from lineagegraph.settings import Settings

_EVERY_ADDRESS = ("0.0.0.0", "::")


def page_address(settings: Settings) -> str | None:
    """Return the address of the page, without a slash at its end; None if it is unknown.

    A server on all addresses of its machine, or on a free port, has one by `page_url` alone.
    """
    if settings.page_url:
        return settings.page_url.rstrip("/")
    if settings.port == 0 or settings.host in _EVERY_ADDRESS:
        return None
    return url_at(settings.host, settings.port, is_tls=settings.tls_certificate is not None)


def url_at(host: str, port: int, *, is_tls: bool) -> str:
    """Return the URL of a server at a host and port."""
    scheme = "https" if is_tls else "http"
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"
