// Delete a token; no row if there is none with that name.
MATCH (t:Token {name: $name})
WITH t, t.name AS name
DELETE t
RETURN name
