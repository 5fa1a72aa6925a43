// Up to which event received the images of an import hold what others told since it began.
MATCH (i:Import {id: $id})
RETURN toString(coalesce(i.undone_at, i.started_at)) AS after, coalesce(i.undone_id, '') AS after_id
