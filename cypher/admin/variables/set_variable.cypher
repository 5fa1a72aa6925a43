// Set or unset a variable, and return whether it changed; the newest changes are kept.
MERGE (v:Variable {name: $name})
SET v.locked = true
REMOVE v.locked
WITH v, coalesce(v.value <> $value, v.value IS NOT NULL OR $value IS NOT NULL) AS is_change
CALL (v, is_change) {
  WITH v WHERE is_change
  SET v.value = $value,
      v.changed_at = coalesce($now, datetime.realtime()),
      v.changed_by = $by,
      v.changes = coalesce(v.changes, 0) + 1
  CREATE (v)-[:HAS_CHANGE]->(:VariableChange {
    number: v.changes, value: $value, changed_at: v.changed_at, changed_by: $by
  })
  WITH v
  MATCH (v)-[:HAS_CHANGE]->(old:VariableChange) WHERE old.number <= v.changes - $most
  DETACH DELETE old
}
RETURN is_change
