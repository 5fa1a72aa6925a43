// Take over what runs say of their jobs: that there is such a job, and of what kind.
UNWIND $rows AS row
MATCH (j:Job {key: row.job_key})
SET j.stub = j.stub AND row.stub
WITH j, row WHERE row.kind_said > j.kind_said
SET j.kind_said = row.kind_said, j.kind = row.kind
