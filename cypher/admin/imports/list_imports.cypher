// The imports, latest first.
MATCH (i:Import)
RETURN i.id AS id, i.url AS url, i.namespaces AS namespaces, i.state AS state, i.started_at AS started_at,
       i.after AS after, i.offset AS offset, COUNT { (i)-[:BROUGHT]->() } AS events, i.refused AS refused
ORDER BY started_at DESC, id
