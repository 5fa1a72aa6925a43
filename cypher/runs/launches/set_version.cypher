// Settle which version a run is to run: the one that it was queued with, else its job's current one.
MATCH (r:Run {id: $id})<-[:HAS_RUN]-(j:Job)
SET r.wanted_version = coalesce(r.wanted_version, j.current_version)
