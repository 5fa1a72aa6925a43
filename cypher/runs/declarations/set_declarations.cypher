// Store the declared facts of jobs.
UNWIND $rows AS row
MATCH (d:Declaration {key: row.key})
SET
  d.facts = row.facts,
  d.namespace = row.namespace,
  d.name = row.name,
  d.kind = row.kind,
  d.kind_said = row.kind_said,
  d.versions = row.versions,
  d.version_times = row.version_times,
  d.stub = row.stub
