// Delete the sessions of a user; their number.
MATCH (s:Session {user: $user})
DELETE s
RETURN count(*) AS ended
