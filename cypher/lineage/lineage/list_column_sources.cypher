// The source columns of some columns, one step away.
UNWIND $keys AS key
MATCH (:Field {key: key})-[:IN_SET*0..1]->(made)
WITH DISTINCT made
MATCH (made)-[e:DERIVED_FROM]->(f:Field)
WHERE coalesce(e.type, 'DIRECT') IN $types AND ($since IS NULL OR e.last_seen >= $since)
WITH DISTINCT f
MATCH (d:Dataset)-[:HAS_FIELD]->(f)
RETURN f.key AS key, f.name AS name, f.type AS type, d.key AS dataset,
       d.hidden_at IS NOT NULL AS hidden, d.same_as AS same_as,
       [(d)-[:SAME_AS]->(m:Dataset) | m.key] AS others
ORDER BY key
