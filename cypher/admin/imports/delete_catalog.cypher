// Delete namespaces, data sources and tags that only an import described.
MATCH (n:Namespace|DataSource|Tag {import_id: $import_id})
WHERE NOT n:Tag OR NOT EXISTS { (n)<-[:TAGGED]-() }
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS done
