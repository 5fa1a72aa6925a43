// The applied migrations of this graph, each with its stored way back.
MATCH (m:Migration)
RETURN m.name AS name, m.checksum AS checksum, coalesce(m.back, '') AS back, m.applied_at AS applied_at
ORDER BY name
