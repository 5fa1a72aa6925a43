// Note what feeds jobs: the datasets that their runs read.
UNWIND $rows AS row
MATCH (j:Job {key: row.job_key})
MATCH (d:Dataset {key: row.dataset_key})
MERGE (d)-[f:FEEDS]->(j)
ON CREATE SET f.first_seen = row.first_seen, f.last_seen = row.last_seen, f.runs = row.runs
ON MATCH SET
  f.first_seen = CASE WHEN row.first_seen < f.first_seen THEN row.first_seen ELSE f.first_seen END,
  f.last_seen = CASE WHEN row.last_seen > f.last_seen THEN row.last_seen ELSE f.last_seen END,
  f.runs = f.runs + row.runs
