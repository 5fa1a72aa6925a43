// Release runs that a sweep had condemned.
UNWIND $ids AS id
MATCH (r:Run {id: id}) WHERE r.condemned = $sweep
REMOVE r.condemned, r.condemned_events
RETURN r.id AS id, r.job_key AS job_key
ORDER BY id
