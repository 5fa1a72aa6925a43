// Delete a token; no row where there is none of that name.
MATCH (t:Token {name: $name})
WITH t, t.name AS name
DELETE t
RETURN name
