// Runs that ended or moved and that no trigger has been asked about, those that wait longest first.
MATCH (r:Run) WHERE r.unjudged_since <= datetime.realtime()
RETURN r.id AS id
ORDER BY r.unjudged_since, id
LIMIT $most
