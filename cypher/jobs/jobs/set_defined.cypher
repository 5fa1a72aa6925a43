// Mark jobs as stated by a definition of an application, and say of what kind they are.
UNWIND $rows AS row
MATCH (j:Job {key: row.key})
SET j.defined = true, j.stub = false, j.kind = row.kind, j.application = $application
REMOVE j.hidden_at
