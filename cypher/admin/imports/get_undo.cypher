// The last event that the import's stored earlier facts include from other senders.
MATCH (i:Import {id: $id})
RETURN toString(coalesce(i.read_from, i.started_at)) AS after, coalesce(i.read_id, '') AS after_id
