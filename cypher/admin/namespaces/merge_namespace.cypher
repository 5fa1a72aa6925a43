// Create or unhide a namespace, and set its owner and description.
MERGE (n:Namespace {name: $name})
ON CREATE SET n.created_at = coalesce($now, datetime.realtime())
SET n.updated_at = coalesce($now, datetime.realtime()),
    n.owner = $owner,
    n.description = coalesce($description, n.description),
    n.import_id = null
REMOVE n.hidden_at
