// The reported facts of runs.
UNWIND $ids AS id
MATCH (r:Run {id: id}) WHERE r.facts IS NOT NULL
RETURN r.id AS id, r.facts AS facts
ORDER BY id
