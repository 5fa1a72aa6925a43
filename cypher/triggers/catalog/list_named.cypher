// Triggers by id or name, or by the name of their job.
CALL () {
  MATCH (t:Trigger {id: $name})
  RETURN t, 0 AS rank
  UNION
  MATCH (t:Trigger {name: $name})
  RETURN t, 1 AS rank
  UNION
  MATCH (t:Trigger)-[:STARTS]->(:Job {fqn: $name})
  RETURN t, 2 AS rank
}
WITH t, rank WHERE t.deleted_at IS NULL
RETURN t.id AS id, min(rank) AS rank
ORDER BY rank, id
