// Begin an import, or continue the unfinished import of the same source.
OPTIONAL MATCH (known:Import {url: $url, state: 'RUNNING'})
WHERE known.namespaces = $namespaces AND known.since = $since
  AND coalesce(known.account, '') = coalesce($account, '')
WITH known ORDER BY known.started_at LIMIT 1
CALL (known) {
  WITH known WHERE known IS NULL
  CREATE (i:Import {id: $id, url: $url, namespaces: $namespaces, since: $since})
  SET i.account = $account, i.state = 'RUNNING', i.started_at = datetime.realtime(), i.after = $since,
      i.offset = 0, i.refused = 0
  RETURN i
  UNION
  WITH known WHERE known IS NOT NULL
  RETURN known AS i
}
RETURN i.id AS id, i.url AS url, i.namespaces AS namespaces, i.state AS state, i.started_at AS started_at,
       i.after AS after, i.offset AS offset, COUNT { (i)-[:BROUGHT]->() } AS events, i.refused AS refused
