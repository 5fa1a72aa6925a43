// Set what is asked of a queued run of a batch.
MATCH (r:Run {id: $id})
SET r.force = $force, r.ignore_upstream = $ignore_upstream, r.with_upstream = $with_upstream
