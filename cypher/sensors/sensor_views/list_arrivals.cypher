// Past waits of a job that an answer of their sensor ended, newest first.
MATCH (j:Job {key: $job_key})-[:HAS_RUN]->(:Run)-[w:WAITS_ON|WAITED_ON]->(:Sensor)
WHERE w.outcome = 'success' AND w.settled_by IS NULL AND w.began_at < $before
RETURN
  w.began_at AS began_at, w.settled_at AS came_at,
  w.settled_at < w.began_at + duration({seconds: coalesce(w.poke_interval, 60.0)}) AS was_there
ORDER BY came_at DESC
LIMIT $limit
