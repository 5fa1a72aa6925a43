// Delete a token; no row if there is none with that name, or none that was added at that time.
MATCH (t:Token {name: $name})
WHERE $created_at IS NULL
  // A caller knows the time in microseconds.
  OR datetime.truncate('microsecond', t.created_at) = $created_at
WITH t, t.name AS name
DELETE t
RETURN name
