// Link an import to its events; events that no producer sent are its own.
CALL () {
  UNWIND $known AS id
  MATCH (i:Import {id: $import_id})
  MATCH (e:Event {id: id})
  MERGE (i)-[:BROUGHT]->(e)
}
CALL () {
  UNWIND $own AS id
  MATCH (i:Import {id: $import_id})
  MATCH (e:Event {id: id})
  SET e.imported = true
  MERGE (i)-[:BROUGHT]->(e)
}
CALL () {
  UNWIND $facets AS hash
  MATCH (i:Import {id: $import_id})
  MATCH (f:Facet {hash: hash})
  MERGE (i)-[:ADDED]->(f)
}
