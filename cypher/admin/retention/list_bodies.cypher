// The events of runs, as they are kept.
UNWIND $ids AS id
MATCH (e:Event)-[:REPORTS]->(:Run {id: id})
RETURN e.body AS body
