// A variable, if it is set.
MATCH (v:Variable {name: $name}) WHERE v.value IS NOT NULL
RETURN v.name AS name, v.value AS value, v.changed_at AS changed_at, v.changed_by AS changed_by
