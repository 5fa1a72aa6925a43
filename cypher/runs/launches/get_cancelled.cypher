// Whether somebody wants a run ended.
MATCH (r:Run {id: $id})
RETURN coalesce(r.cancel_requested, false) AS cancel_requested
