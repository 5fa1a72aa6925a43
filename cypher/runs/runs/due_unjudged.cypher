// Runs that ended or moved and were not evaluated by triggers yet, longest wait first.
MATCH (r:Run) WHERE r.unjudged_since <= datetime.realtime()
RETURN r.id AS id
ORDER BY r.unjudged_since, id
LIMIT $most
