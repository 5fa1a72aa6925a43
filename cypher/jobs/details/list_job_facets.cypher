// The latest facet of each name that jobs have, or of one name.
UNWIND $keys AS key
MATCH (:Job {key: key})-[h:HAS_FACET]->(f:Facet)
WHERE $name IS NULL OR h.name = $name
WITH key, h.name AS name, toString(h.at) AS at, f.body AS body
ORDER BY key, name
RETURN collect([key, name, at, body]) AS rows
