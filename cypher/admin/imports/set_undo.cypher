// Store the last event that the import's earlier facts include from other senders.
MATCH (i:Import {id: $id})
SET i.read_from = datetime($after), i.read_id = $after_id
