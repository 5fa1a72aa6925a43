// Count the backfills, of one job or of all jobs.
MATCH (b:Backfill)-[:OF]->(j:Job)
WHERE $job_key IS NULL OR j.key = $job_key
RETURN count(b) AS backfills
