// The migrations that were applied to this graph.
MATCH (m:Migration)
RETURN m.name AS name, m.checksum AS checksum
ORDER BY name
