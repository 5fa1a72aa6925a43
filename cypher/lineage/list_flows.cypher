// The flow of data between some jobs and some datasets, in its direction.
CALL () {
  MATCH (d:Dataset)-[e:FEEDS]->(j:Job)
  WHERE d.key IN $datasets AND j.key IN $jobs AND ($at IS NULL OR e.first_seen <= $at)
  RETURN d.key AS source, j.key AS target, e
  UNION ALL
  MATCH (j:Job)-[e:PRODUCES]->(d:Dataset)
  WHERE d.key IN $datasets AND j.key IN $jobs AND ($at IS NULL OR e.first_seen <= $at)
  RETURN j.key AS source, d.key AS target, e
}
RETURN source, target, toString(e.first_seen) AS first_seen,
       toString(e.last_seen) AS last_seen, e.runs AS runs
ORDER BY source, target
