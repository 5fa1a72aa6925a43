// Create or update a data source with its type and address.
MERGE (s:DataSource {name: $name})
ON CREATE SET s.created_at = coalesce($now, datetime.realtime())
SET s.updated_at = coalesce($now, datetime.realtime()),
    s.type = $type,
    s.connection_url = $connection_url,
    s.description = coalesce($description, s.description),
    s.import_id = null
