// The stored events of runs.
UNWIND $ids AS id
MATCH (e:Event)-[:REPORTS]->(:Run {id: id})
RETURN e.body AS body
