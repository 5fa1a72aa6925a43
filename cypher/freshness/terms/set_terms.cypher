// Set the user's freshness terms of a job or dataset.
MATCH (n:Job|Dataset {key: $key})
SET n.locked = true
REMOVE n.locked
MERGE (t:Terms {key: n.key})
SET t = $terms, t.key = n.key, t.node = n.key, t.stated = false, t.set_by = $by,
    t.set_at = coalesce($now, datetime.realtime())
MERGE (n)-[:HAS_TERMS]->(t)
WITH t
MATCH (t)-[:HAS_PART]->(p:TermsPart)
DETACH DELETE p
