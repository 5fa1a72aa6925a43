// The notes of a run, the oldest first.
MATCH (n:Note)-[:ANNOTATES]->(:Run {id: $run_id})
RETURN n.text AS text, n.author AS author, n.created_at AS at
ORDER BY at, n.id
