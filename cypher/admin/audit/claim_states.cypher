// Lock things of one kind, and return their states as far as the audit log shows them.
UNWIND $keys AS key
CALL (key) {
  MATCH (n:Namespace {name: key}) WHERE $kind = 'namespace'
  SET n.locked = true
  REMOVE n.locked
  RETURN n {.owner, .description, hidden: n.hidden_at IS NOT NULL} AS state
  UNION
  MATCH (n:DataSource {name: key}) WHERE $kind = 'source'
  SET n.locked = true
  REMOVE n.locked
  RETURN n {.type, .connection_url, .description} AS state
  UNION
  MATCH (n:Tag {name: key}) WHERE $kind = 'tag'
  SET n.locked = true
  REMOVE n.locked
  RETURN n {.description, watched: n.watched_since IS NOT NULL} AS state
  UNION
  MATCH (n:Token {name: key}) WHERE $kind = 'token'
  SET n.locked = true
  REMOVE n.locked
  RETURN n {.read, .write, .operate, .admin, .datasets, .expires_at, .rotated_at} AS state
  UNION
  MATCH (n:Variable {name: key}) WHERE $kind = 'variable'
  SET n.locked = true
  REMOVE n.locked
  RETURN n {.value} AS state
  UNION
  MATCH (n:Pool {name: key}) WHERE $kind = 'pool'
  SET n.locked = true
  REMOVE n.locked
  RETURN n {.slots} AS state
  UNION
  MATCH (n:Skip {id: key}) WHERE $kind = 'skip'
  SET n.locked = true
  REMOVE n.locked
  RETURN n {.reason, .author, .expires_at, .removed_at, .removed_by} AS state
  UNION
  MATCH (n:Terms {key: key}) WHERE $kind = 'freshness'
  SET n.locked = true
  REMOVE n.locked
  RETURN n {.*} AS state
  UNION
  MATCH (n:Trigger {id: key}) WHERE $kind = 'trigger' AND n.deleted_at IS NULL
  SET n.locked = true
  REMOVE n.locked
  RETURN n {.origin, .enabled, .rule} AS state
  UNION
  MATCH (n:Job {key: key}) WHERE $kind = 'pipeline' AND n.current_version IS NOT NULL
  SET n.locked = true
  REMOVE n.locked
  RETURN n {.current_version, .latest_version, .pinned_by, withdrawn: n.withdrawn_at IS NOT NULL} AS state
  UNION
  MATCH (n:Job {key: key}) WHERE $kind = 'job'
  SET n.locked = true
  REMOVE n.locked
  RETURN n {.silent_after, hidden: n.hidden_at IS NOT NULL} AS state
  UNION
  MATCH (n:Dataset {key: key}) WHERE $kind = 'dataset'
  SET n.locked = true
  REMOVE n.locked
  RETURN n {hidden: n.hidden_at IS NOT NULL} AS state
  UNION
  MATCH (n:DefinitionPath {key: key}) WHERE $kind = 'path'
  SET n.locked = true
  REMOVE n.locked
  RETURN n {.host, .path, .namespace, .application, .forgotten} AS state
  UNION
  MATCH (n:Job|Dataset|Field {key: key}) WHERE $kind = 'tags'
  SET n.locked = true
  REMOVE n.locked
  WITH n
  OPTIONAL MATCH (n)-[:TAGGED]->(t:Tag)
  WITH n, t.name AS name ORDER BY name
  WITH n, collect(name) AS tags
  RETURN {tags: tags} AS state
}
RETURN key, state
