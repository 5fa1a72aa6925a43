// Those of the events that the graph has from producers themselves.
UNWIND $ids AS id
MATCH (e:Event {id: id}) WHERE e.imported IS NULL
RETURN e.id AS id
ORDER BY id
