// How runs ended, and what they emitted.
UNWIND $ids AS id
MATCH (r:Run {id: id})
RETURN r.id AS id, r.state AS state, r.emitted AS emitted
ORDER BY id
