// The final states of runs, their emitted values, and what they returned.
UNWIND $ids AS id
MATCH (r:Run {id: id})
RETURN r.id AS id, r.state AS state, r.reason AS reason, r.emitted AS emitted, r.output AS output
ORDER BY id
