// The function of expanded tasks, by value.
MATCH (c:TaskCode {sha256: $sha256})
RETURN
  c.sha256 AS sha256,
  c.python AS python,
  c.content AS content,
  c.left_out AS left_out,
  c.unnamed AS unnamed,
  c.signature AS signature
