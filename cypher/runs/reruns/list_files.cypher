// The states of the files that runs used, as JSON.
UNWIND $ids AS id
MATCH (r:Run {id: id})
WHERE r.files IS NOT NULL
RETURN r.id AS id, r.files AS files
ORDER BY r.started_at, id
