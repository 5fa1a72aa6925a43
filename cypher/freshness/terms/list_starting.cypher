// The triggers that start jobs or those above them, by name.
UNWIND $keys AS key
MATCH (t:Trigger)-[:STARTS]->(:Job)-[:PARENT_OF*0..]->(:Job {key: key})
WITH DISTINCT key, t ORDER BY t.name, t.id
WITH key, collect(t.id) AS ids
RETURN collect({key: key, ids: ids}) AS rows
