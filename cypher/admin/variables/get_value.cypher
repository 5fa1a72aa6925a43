// The value of a variable, if it is set.
MATCH (v:Variable {name: $name}) WHERE v.value IS NOT NULL
RETURN v.value AS value
