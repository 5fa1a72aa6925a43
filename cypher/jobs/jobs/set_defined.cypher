// Mark jobs as defined by an application, and set their kinds.
UNWIND $rows AS row
MATCH (j:Job {key: row.key})
SET j.defined = true, j.stub = false, j.kind = row.kind, j.application = $application
REMOVE j.hidden_at
