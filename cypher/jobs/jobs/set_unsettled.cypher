// Note that jobs are still to adopt runs of their names, or to be told again what they read and wrote.
UNWIND $rows AS row
MATCH (j:Job {key: row.key})
SET j.unsettled = CASE
  WHEN row.unsettled = 'FLOWS' AND j.unsettled = 'ADOPTION' THEN j.unsettled
  ELSE row.unsettled
END
