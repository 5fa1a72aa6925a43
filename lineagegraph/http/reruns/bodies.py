"""The body of a request for a rerun."""

from typing import Annotated, Any

import msgspec

from lineagegraph.http.plumbing.answers import about
from lineagegraph.model.rerun import Allow, RerunRequest


class RerunBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """The code, the changed parameters, and the tasks of a rerun."""

    policy: Annotated[
        str | None,
        about(
            "`as_was`, `latest`, `pinned:VERSION` or `ask`; else the policy of the pipeline or the "
            "installation."
        ),
    ] = None
    params: Annotated[
        dict[str, Any], about("Parameters that have another value than in the original.")
    ] = {}
    tasks: Annotated[tuple[str, ...], about("Only these tasks, by their paths.")] = ()
    from_task: Annotated[str | None, about("This task and all that follow it.")] = None
    from_failed: Annotated[
        bool, about("The tasks that did not complete, and all that follow them.")
    ] = False
    allow: Annotated[frozenset[Allow], about("Differences to accept with `as_was`.")] = frozenset()
    isolated: Annotated[bool, about("With the packages that it had, installed again.")] = False

    def request(self, run_id: str) -> RerunRequest:
        """Return the request to repeat a run."""
        return RerunRequest(run=run_id, **msgspec.structs.asdict(self))
