// Record the latest facet of each name of jobs, unless a later one is known.
UNWIND $rows AS row
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
