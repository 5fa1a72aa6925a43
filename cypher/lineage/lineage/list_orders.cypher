// The pairs of a job and one that comes after it, of which at least one is among some jobs.
UNWIND $jobs AS key
MATCH (j:Job {key: key})
CALL (j) {
  MATCH (j)-[:COMES_AFTER]->(:Declaration)<-[:HAS_DECLARATION]-(k:Job)
  RETURN k AS before, j AS after
  UNION
  MATCH (j)-[:COMES_BEFORE]->(:Declaration)<-[:HAS_DECLARATION]-(k:Job)
  RETURN j AS before, k AS after
  UNION
  MATCH (j)-[:HAS_DECLARATION]->(:Declaration)<-[:COMES_BEFORE]-(k:Job)
  RETURN k AS before, j AS after
  UNION
  MATCH (j)-[:HAS_DECLARATION]->(:Declaration)<-[:COMES_AFTER]-(k:Job)
  RETURN j AS before, k AS after
}
WITH DISTINCT before, after
WHERE before <> after AND before.hidden_at IS NULL AND after.hidden_at IS NULL
WITH before.key AS source, after.key AS target
ORDER BY source, target
RETURN collect({
  source: source,
  target: target
}) AS rows
