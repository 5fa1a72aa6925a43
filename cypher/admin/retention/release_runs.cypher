// Release runs that a sweep had condemned.
UNWIND $ids AS id
MATCH (r:Run {id: id}) WHERE r.condemned = $sweep
REMOVE r.condemned
RETURN r.id AS id, r.job_key AS job_key
ORDER BY id
