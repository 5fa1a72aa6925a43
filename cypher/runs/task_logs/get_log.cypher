// The log of a run: its file, and the part of it that the graph keeps.
MATCH (r:Run {id: $id})
RETURN r.log AS path, r.log_text AS text, r.log_attempt AS attempt, r.log_host AS host
