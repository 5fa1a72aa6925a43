// Whether cancellation of a run was requested.
MATCH (r:Run {id: $id})
RETURN coalesce(r.cancel_requested, false) AS cancel_requested
