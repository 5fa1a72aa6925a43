// Create or update a tag, with a description if one is given.
MERGE (t:Tag {name: $name})
ON CREATE SET t.created_at = coalesce($now, datetime.realtime())
SET t.updated_at = coalesce($now, datetime.realtime()),
    t.description = coalesce($description, t.description),
    t.import_id = null
RETURN t.name AS name, t.description AS description
