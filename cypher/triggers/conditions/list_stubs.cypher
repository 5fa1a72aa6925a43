// The jobs and datasets that are known only because triggers name them.
UNWIND $ids AS id
MATCH (:Trigger {id: id})-[:HAS_CONDITION]->(:Condition)-[:WATCHES]->(n:Job|Dataset)
WHERE (n:Dataset OR n.stub)
  AND NOT EXISTS { (n)-[r]-() WHERE type(r) <> 'WATCHES' }
RETURN DISTINCT n.key AS key, n:Dataset AS is_dataset
ORDER BY key
