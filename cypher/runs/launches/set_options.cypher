// Set the options of a queued batch run.
MATCH (r:Run {id: $id})
SET r.force = $force, r.ignore_upstream = $ignore_upstream, r.with_upstream = $with_upstream
