// Choose the version of a run: the one that it was queued with, or its job's current one.
MATCH (r:Run {id: $id})<-[:HAS_RUN]-(j:Job)
// Who makes another version current has this lock, and may delete the one before.
SET j.locked = true
REMOVE j.locked
SET r.wanted_version = coalesce(r.wanted_version, j.current_version)
