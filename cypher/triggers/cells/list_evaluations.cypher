// The latest evaluations of a trigger until a time, newest first; `tree` is JSON.
MATCH (:Trigger {id: $trigger_id})-[:EVALUATED]->(e:Evaluation)
WHERE $until IS NULL OR e.at <= $until
RETURN e.at AS at, e.number AS number, e.value AS value, e.outcome AS outcome, e.text AS text, e.tree AS tree
ORDER BY number DESC
LIMIT $limit
