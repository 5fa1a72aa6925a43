// Hide again the jobs and datasets that only an import showed.
MATCH (n:Job|Dataset {shown_by: $import_id})
WITH n LIMIT $limit
SET n.locked = true
REMOVE n.locked
WITH n
CALL (n) {
  WITH n WHERE n.shown_by = $import_id
  SET n.hidden_at = coalesce(n.hidden_at, n.was_hidden_at)
  REMOVE n.shown_by, n.was_hidden_at
}
RETURN count(*) AS done
