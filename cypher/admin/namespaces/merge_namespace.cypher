// Make sure that a namespace exists and is not hidden, and say whose it is and what it is for.
MERGE (n:Namespace {name: $name})
ON CREATE SET n.created_at = coalesce($now, datetime.realtime())
SET n.updated_at = coalesce($now, datetime.realtime()),
    n.owner = $owner,
    n.description = coalesce($description, n.description),
    n.import_id = null
REMOVE n.hidden_at
