// The job of a run, and the version that it was queued with.
MATCH (r:Run {id: $id})<-[:HAS_RUN]-(j:Job)
RETURN j.key AS job_key, r.wanted_version AS version
