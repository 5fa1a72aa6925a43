// Store reported facts of datasets, and link the latest facet of each name.
CALL () {
  UNWIND $datasets AS row
  MATCH (d:Dataset {key: row.key})
  SET d.facts = row.facts, d.schema_at = datetime(row.schema_at)
}
CALL () {
  UNWIND $links AS row
  MATCH (d:Dataset {key: row.key})
  OPTIONAL MATCH (d)-[old:HAS_FACET {name: row.name}]->(:Facet)
  DELETE old
  WITH DISTINCT d, row
  MATCH (f:Facet {hash: row.hash})
  CREATE (d)-[:HAS_FACET {scope: 'dataset', name: row.name}]->(f)
}
