// Events that the graph already has from producers.
UNWIND $ids AS id
MATCH (e:Event {id: id}) WHERE e.imported IS NULL
RETURN e.id AS id
ORDER BY id
