// Choose the version of a run: the one that it was queued with, or its job's current one.
MATCH (r:Run {id: $id})<-[:HAS_RUN]-(j:Job)
SET r.wanted_version = coalesce(r.wanted_version, j.current_version)
