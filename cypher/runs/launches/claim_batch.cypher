// Begin or continue a run of a batch, and return its options.
MATCH (r:Run {id: $id})
SET r.resumable = true, r.submitted_at = coalesce(r.submitted_at, r.queued_at)
RETURN
  r.submitted_at AS submitted_at,
  coalesce(r.force, false) OR EXISTS { (r)-[:RERUN_OF]->(:Run) } AS force,
  coalesce(r.ignore_upstream, false) OR EXISTS { (r)-[:RERUN_OF]->(:Run) } AS ignore_upstream,
  coalesce(r.with_upstream, false) AS with_upstream
