// The final states of runs, and their emitted values.
UNWIND $ids AS id
MATCH (r:Run {id: id})
RETURN r.id AS id, r.state AS state, r.emitted AS emitted
ORDER BY id
