// The variables that are set, by name.
MATCH (v:Variable) WHERE v.value IS NOT NULL
RETURN v.name AS name, v.value AS value, v.changed_at AS changed_at, v.changed_by AS changed_by
ORDER BY name
