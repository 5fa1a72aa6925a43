// Annotate a run with a note, and return the run's id.
MATCH (r:Run {id: $run_id})
MERGE (n:Note {id: $id})
ON CREATE SET
  n.text = $text, n.author = $author, n.created_at = coalesce($now, datetime.realtime())
MERGE (n)-[:ANNOTATES]->(r)
RETURN r.id AS run_id
