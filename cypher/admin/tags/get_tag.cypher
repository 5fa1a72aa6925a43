// One tag by its name.
MATCH (t:Tag {name: $name})
RETURN t.name AS name, t.description AS description
