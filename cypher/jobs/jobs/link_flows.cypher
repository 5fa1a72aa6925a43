// Record facets, reads and writes of jobs, unhide those that are named, and return new column lineage.
//
// $shown_by is an import, which keeps since when they were hidden, or '' to leave hidden ones hidden.
// Step 1: the latest facet of each name, unless a later one is known.
CALL () {
  UNWIND $facets AS row
  MATCH (j:Job {key: row.job_key})
  MATCH (new:Facet {hash: row.hash})
  OPTIONAL MATCH (j)-[h:HAS_FACET {name: row.name}]->(old:Facet)
  WITH j, row, new, h, old
  WHERE h IS NULL OR row.said > h.said
  // The same facet is reported by each run: then only its time changes.
  FOREACH (same IN CASE WHEN old = new THEN [h] ELSE [] END |
    SET same.said = row.said, same.at = datetime(row.at)
  )
  WITH j, row, new, h, old
  WHERE h IS NULL OR old <> new
  DELETE h
  CREATE (j)-[:HAS_FACET {scope: 'job', name: row.name, said: row.said, at: datetime(row.at)}]->(new)
}
// Step 2: what is known of the jobs themselves.
CALL () {
  UNWIND $reports AS row
  MATCH (j:Job {key: row.job_key})
  SET
    j.stub = j.stub AND row.stub,
    j.was_hidden_at = CASE
      WHEN $shown_by = '' OR NOT row.is_named THEN j.was_hidden_at
      WHEN $shown_by IS NOT NULL THEN coalesce(j.hidden_at, j.was_hidden_at)
    END,
    j.shown_by = CASE
      WHEN $shown_by = '' OR NOT row.is_named THEN j.shown_by
      WHEN $shown_by IS NOT NULL AND j.hidden_at IS NOT NULL THEN $shown_by
      WHEN $shown_by IS NOT NULL THEN j.shown_by
    END,
    j.hidden_at = CASE WHEN $shown_by = '' OR NOT row.is_named THEN j.hidden_at END
  WITH j, row WHERE row.kind_said > j.kind_said
  SET j.kind_said = row.kind_said, j.kind = row.kind
}
// Step 3: the reads.
CALL () {
  UNWIND $feeds AS row
  MATCH (j:Job {key: row.job_key})
  MATCH (d:Dataset {key: row.dataset_key})
  MERGE (d)-[f:FEEDS]->(j)
  ON CREATE SET f.runs = 0
  WITH f, row, datetime(row.first_seen) AS first, datetime(row.last_seen) AS last
  SET
    f.first_seen = CASE WHEN f.first_seen < first THEN f.first_seen ELSE first END,
    f.last_seen = CASE WHEN f.last_seen > last THEN f.last_seen ELSE last END,
    f.runs = f.runs + row.runs
}
// Step 4: the writes, each with the facets of column lineage that are new.
UNWIND $products AS row
MATCH (j:Job {key: row.job_key})
MATCH (d:Dataset {key: row.dataset_key})
MERGE (j)-[p:PRODUCES]->(d)
ON CREATE SET p.runs = 0, p.column_facets = []
WITH p, row, datetime(row.first_seen) AS first, datetime(row.last_seen) AS last
SET
  p.first_seen = CASE WHEN p.first_seen < first THEN p.first_seen ELSE first END,
  p.last_seen = CASE WHEN p.last_seen > last THEN p.last_seen ELSE last END,
  p.runs = p.runs + row.runs
WITH p, row, [hash IN row.column_facets WHERE NOT hash IN p.column_facets] AS news
WHERE size(news) > 0
SET p.column_facets = COLLECT { UNWIND p.column_facets + news AS hash RETURN hash ORDER BY hash }
WITH row, news
UNWIND news AS hash
RETURN row.job_key AS job_key, row.dataset_key AS dataset_key, hash
ORDER BY job_key, dataset_key, hash
