// Those of some events that the graph has.
UNWIND $ids AS id
MATCH (e:Event {id: id})
RETURN e.id AS id
ORDER BY id
