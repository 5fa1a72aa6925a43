// Of which job a run is, and which version it was queued with.
MATCH (r:Run {id: $id})<-[:HAS_RUN]-(j:Job)
RETURN j.key AS job_key, r.wanted_version AS version
