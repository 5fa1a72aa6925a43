// The states of runs.
UNWIND $ids AS id
MATCH (r:Run {id: id})
RETURN r.id AS id, r.state AS state
ORDER BY id
