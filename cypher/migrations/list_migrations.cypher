// The migrations that were applied to this graph, each with its way back.
MATCH (m:Migration)
RETURN m.name AS name, m.checksum AS checksum, coalesce(m.back, '') AS back, m.applied_at AS applied_at
ORDER BY name
