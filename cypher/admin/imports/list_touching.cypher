// The imports that stored earlier facts of runs, declarations or datasets.
CALL () {
  UNWIND $runs AS id
  MATCH (r:Run {id: id})<-[:TOUCHED]-(i:Import) RETURN i
  UNION
  UNWIND $declarations AS key
  MATCH (d:Declaration {key: key})<-[:TOUCHED]-(i:Import) RETURN i
  UNION
  UNWIND $datasets AS key
  MATCH (d:Dataset {key: key})<-[:TOUCHED]-(i:Import) RETURN i
}
RETURN DISTINCT i.id AS id
ORDER BY id
