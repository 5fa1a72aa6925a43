// The migrations that were applied to this graph, each with its way back where that was kept.
MATCH (m:Migration)
RETURN m.name AS name, m.checksum AS checksum, m.back AS back, m.applied_at AS applied_at
ORDER BY name
