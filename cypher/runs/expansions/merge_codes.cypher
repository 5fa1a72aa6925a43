// Store the functions of expanded tasks by value.
UNWIND $rows AS row
MERGE (c:TaskCode {sha256: row.sha256})
SET
  c.python = row.python,
  c.content = row.content,
  c.left_out = row.left_out,
  c.unnamed = row.unnamed,
  c.signature = row.signature
