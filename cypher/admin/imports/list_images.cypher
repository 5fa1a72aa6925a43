// The earlier facts of the runs, declarations and datasets that an import changed.
CALL () {
  UNWIND $runs AS id
  MATCH (r:Run {id: id}) RETURN r AS one, id AS key, 'RUN' AS kind
  UNION ALL
  UNWIND $declarations AS key
  MATCH (d:Declaration {key: key}) RETURN d AS one, key, 'DECLARATION' AS kind
  UNION ALL
  UNWIND $datasets AS key
  MATCH (d:Dataset {key: key}) RETURN d AS one, key, 'DATASET' AS kind
}
MATCH (:Import {id: $import_id})-[t:TOUCHED]->(one)
RETURN kind, key, one.namespace AS namespace, one.name AS name, t.facts AS facts
