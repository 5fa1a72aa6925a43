// Store the parts of a new version and its tasks: parameters, settings, triggers, parents.
// The steps depend on each other: owners must exist before their parts.
// Parameters of the version and of nested pipelines.
CALL () {
  UNWIND $parameters AS row
  MATCH (owner:JobVersion|TaskVersion {hash: row.owner})
  CREATE (owner)-[:HAS_PARAMETER]->(p:ParameterVersion)
  SET p = row.properties
}
// Triggers, then their conditions.
CALL () {
  UNWIND $triggers AS row
  MATCH (owner:JobVersion|TaskVersion {hash: row.owner})
  CREATE (owner)-[:HAS_TRIGGER]->(t:TriggerVersion {hash: row.hash})
  SET t += row.properties
}
CALL () {
  UNWIND $conditions AS row
  CREATE (c:ConditionVersion {hash: row.hash})
  SET c += row.properties
}
// Links of conditions: the owner is a trigger (root condition) or another condition (operand).
CALL () {
  UNWIND $operands AS row
  MATCH (c:ConditionVersion {hash: row.hash})
  OPTIONAL MATCH (t:TriggerVersion {hash: row.owner})
  // FOREACH over an empty or one-element list is a conditional write.
  FOREACH (x IN CASE WHEN t IS NULL THEN [] ELSE [1] END | CREATE (t)-[:WHEN]->(c))
  WITH c, row
  MATCH (above:ConditionVersion {hash: row.owner})
  CREATE (above)-[:OPERAND {position: c.position}]->(c)
}
// Payload tests, limits and arguments of the triggers.
CALL () {
  UNWIND $predicates AS row
  MATCH (c:ConditionVersion {hash: row.owner})
  CREATE (c)-[:ASKS]->(p:PredicateVersion)
  SET p = row.properties
}
CALL () {
  UNWIND $constraints AS row
  MATCH (t:TriggerVersion {hash: row.owner})
  CREATE (t)-[:LIMITED_BY]->(c:ConstraintVersion)
  SET c = row.properties
}
CALL () {
  UNWIND $arguments AS row
  MATCH (t:TriggerVersion {hash: row.owner})
  CREATE (t)-[:TAKES]->(a:ArgumentVersion)
  SET a = row.properties
}
// Dependencies of tasks, and clusters.
CALL () {
  UNWIND $dependencies AS row
  MATCH (t:TaskVersion {hash: row.owner})
  CREATE (t)-[:NEEDS]->(d:DependencyVersion)
  SET d = row.properties
}
CALL () {
  UNWIND $clusters AS row
  MATCH (owner:JobVersion|TaskVersion {hash: row.owner})
  CREATE (owner)-[:HAS_CLUSTER]->(c:ClusterVersion {hash: row.hash})
  SET c += row.properties
}
// Settings last: their owners can be any of the parts above.
CALL () {
  UNWIND $settings AS row
  MATCH (owner:JobVersion|TaskVersion|TriggerVersion|ClusterVersion {hash: row.owner})
  CREATE (owner)-[:HAS_SETTING]->(s:SettingVersion)
  SET s = row.properties
}
