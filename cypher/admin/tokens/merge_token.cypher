// Store a token by its hash; no row if the name is taken.
MERGE (t:Token {name: $name})
ON CREATE SET
  t.hash = $hash,
  t.read = $read,
  t.write = $write,
  t.operate = $operate,
  t.admin = $admin,
  t.datasets = $datasets,
  t.created_at = coalesce($now, datetime.realtime()),
  t.expires_at = coalesce($now, datetime.realtime()) + $expires
WITH t WHERE t.hash = $hash
RETURN t.name AS name
