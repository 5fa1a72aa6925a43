// Note up to which event received the images of an import hold what others told.
MATCH (i:Import {id: $id})
SET i.undone_at = datetime($after), i.undone_id = $after_id
