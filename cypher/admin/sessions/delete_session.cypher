// Delete a session.
MATCH (s:Session {hash: $hash})
DELETE s
