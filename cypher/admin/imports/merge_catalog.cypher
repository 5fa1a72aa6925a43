// Copy descriptions of namespaces, data sources and tags from another server, without overwriting.
CALL () {
  UNWIND $namespaces AS row
  MERGE (n:Namespace {name: row.name})
  ON CREATE SET
    n.import_id = $import_id,
    n.created_at = datetime.realtime(),
    n.updated_at = datetime.realtime(),
    n.owner = row.owner,
    n.description = row.description
}
CALL () {
  UNWIND $sources AS row
  MERGE (s:DataSource {name: row.name})
  ON CREATE SET
    s.import_id = $import_id,
    s.created_at = datetime.realtime(),
    s.updated_at = datetime.realtime(),
    s.type = row.type,
    s.connection_url = row.connection_url,
    s.description = row.description
}
CALL () {
  UNWIND $tags AS row
  MERGE (t:Tag {name: row.name})
  ON CREATE SET
    t.import_id = $import_id,
    t.created_at = datetime.realtime(),
    t.updated_at = datetime.realtime(),
    t.description = row.description
}
