// Mark jobs as stated by a definition, and say of what kind they are.
UNWIND $rows AS row
MATCH (j:Job {key: row.key})
SET j.defined = true, j.stub = false, j.kind = row.kind
REMOVE j.hidden_at
