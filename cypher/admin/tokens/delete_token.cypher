// Delete a token; no row if there is none with that name, or none that was added at that time.
MATCH (t:Token {name: $name})
WHERE $created_at IS NULL
  // A caller knows the time in microseconds, and maybe in another zone.
  OR t.created_at.epochSeconds = datetime($created_at).epochSeconds
    AND t.created_at.microsecond = datetime($created_at).microsecond
WITH t, t.name AS name
DELETE t
RETURN name
