// Note what jobs reported, read and produce; return the column lineage that is new to them.
CALL () {
  UNWIND $reports AS row
  MATCH (j:Job {key: row.job_key})
  SET j.stub = j.stub AND row.stub
  WITH j, row WHERE row.kind_said > j.kind_said
  SET j.kind_said = row.kind_said, j.kind = row.kind
}
CALL () {
  UNWIND $feeds AS row
  MATCH (j:Job {key: row.job_key})
  MATCH (d:Dataset {key: row.dataset_key})
  MERGE (d)-[f:FEEDS]->(j)
  ON CREATE SET f.first_seen = row.first_seen, f.last_seen = row.last_seen, f.runs = row.runs
  ON MATCH SET
    f.first_seen = CASE WHEN row.first_seen < f.first_seen THEN row.first_seen ELSE f.first_seen END,
    f.last_seen = CASE WHEN row.last_seen > f.last_seen THEN row.last_seen ELSE f.last_seen END,
    f.runs = f.runs + row.runs
}
UNWIND $products AS row
MATCH (j:Job {key: row.job_key})
MATCH (d:Dataset {key: row.dataset_key})
MERGE (j)-[p:PRODUCES]->(d)
ON CREATE SET p.first_seen = row.first_seen, p.last_seen = row.last_seen, p.runs = row.runs, p.column_facets = []
ON MATCH SET
  p.first_seen = CASE WHEN row.first_seen < p.first_seen THEN row.first_seen ELSE p.first_seen END,
  p.last_seen = CASE WHEN row.last_seen > p.last_seen THEN row.last_seen ELSE p.last_seen END,
  p.runs = p.runs + row.runs
WITH row, p, [hash IN row.column_facets WHERE NOT hash IN p.column_facets] AS news
WHERE size(news) > 0
SET p.column_facets = COLLECT { UNWIND p.column_facets + news AS hash RETURN hash ORDER BY hash }
WITH row, news
UNWIND news AS hash
RETURN row.job_key AS job_key, row.dataset_key AS dataset_key, hash
ORDER BY job_key, dataset_key, hash
