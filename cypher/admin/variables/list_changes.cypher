// The changes of a variable, the newest first.
MATCH (:Variable {name: $name})-[:HAS_CHANGE]->(c:VariableChange)
RETURN c.number AS number, c.value AS value, c.changed_at AS changed_at, c.changed_by AS changed_by
ORDER BY number DESC
LIMIT $limit
