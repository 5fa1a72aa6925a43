// The columns that take values from some columns, one step away, by derivations that mask nothing.
//
// A column of a dataset with several names is one column.
UNWIND $keys AS key
MATCH (source:Field {key: key})<-[:HAS_FIELD]-(d:Dataset)
MATCH (d)-[:SAME_AS*0..1]->(:Dataset)-[:HAS_FIELD]->(same:Field {name: source.name})
MATCH (same)<-[e:DERIVED_FROM]-(made)
WHERE coalesce(e.type, 'DIRECT') = 'DIRECT' AND NOT coalesce(e.masking, false)
MATCH (made)<-[:IN_SET*0..1]-(f:Field)<-[:HAS_FIELD]-(to:Dataset)
WHERE f.key <> key AND to.hidden_at IS NULL AND NOT f.key IN $known
OPTIONAL MATCH (j:Job {key: e.job_key})
WITH key, f, to, min(j.namespace + ':' + j.fqn) AS job
ORDER BY f.key, key
WITH f, to, collect({source: key, job: job})[0] AS by
ORDER BY to.namespace, to.name, f.name
LIMIT $limit
RETURN f.key AS key, f.name AS name, to.namespace AS namespace, to.name AS dataset,
       by.source AS source, by.job AS job
