// The reports of runs up to a time: their events as JSON with the hashes of facets.
UNWIND $ids AS id
MATCH (e:Event)-[:REPORTS]->(:Run {id: id})
WHERE e.event_time <= $at
RETURN e.body AS body, coalesce(e.claims, []) AS claims
ORDER BY e.event_time, e.id
