// Begin or continue a run of a batch, and return its options.
//
// A rerun runs all tasks. One by hand repeats what the run did; one by a trigger waits for parents.
MATCH (r:Run {id: $id})
SET r.resumable = true, r.submitted_at = coalesce(r.submitted_at, r.queued_at)
WITH r, EXISTS { (r)-[:RERUN_OF]->(:Run) } AS is_rerun
RETURN
  r.submitted_at AS submitted_at,
  coalesce(r.force, false) OR is_rerun AS force,
  coalesce(r.ignore_upstream, false) OR is_rerun AND NOT EXISTS { (r)<-[:STARTED]-(:Firing) }
    AS ignore_upstream,
  coalesce(r.with_upstream, false) AS with_upstream
