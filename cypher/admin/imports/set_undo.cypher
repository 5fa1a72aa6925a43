// Store the last event that the import's earlier facts include from other senders.
MATCH (i:Import {id: $id})
SET i.undone_at = datetime($after), i.undone_id = $after_id
