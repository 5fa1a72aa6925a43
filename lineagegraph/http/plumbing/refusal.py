"""Refusals of requests."""

from typing import Any

from starlette.responses import JSONResponse

from lineagegraph.errors import LineagegraphError
from lineagegraph.secrets import mask_text


class RequestRefused(LineagegraphError):
    """A request that gets a status of 400 or above, with the JSON path of the fault if it has one.

    `retry_after` is in seconds, for statuses that pass.
    """

    def __init__(
        self,
        status: int,
        message: str,
        path: str | None = None,
        *,
        retry_after: int | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.path = path
        self.headers = dict(headers or {})
        if retry_after is not None:
            self.headers["Retry-After"] = str(retry_after)

    def answer(self) -> JSONResponse:
        """Return the answer."""
        body: dict[str, Any] = {"error": mask_text(str(self))}
        if self.path is not None:
            body["path"] = self.path
        return JSONResponse(body, self.status, self.headers)
