// The values of all variables that are set, by name.
MATCH (v:Variable) WHERE v.value IS NOT NULL
RETURN v.name AS name, v.value AS value
ORDER BY name
