// The runs that were reported in another namespace than these.
UNWIND $ids AS id
MATCH (r:Run {id: id})
WHERE NOT r.stub AND NOT r.namespace IN $mine
RETURN r.id AS id, r.namespace AS namespace
ORDER BY id
