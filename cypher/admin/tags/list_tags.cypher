// The tags by name.
MATCH (t:Tag)
WHERE t.name IS NOT NULL
RETURN t.name AS name, t.description AS description
ORDER BY t.name
SKIP $offset
LIMIT $limit
