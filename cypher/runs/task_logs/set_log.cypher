// Keep head and tail of the log of a task's newest finished attempt.
MATCH (r:Run {id: $id})
SET r.log_text = $text, r.log_attempt = $attempt, r.log_host = $host
