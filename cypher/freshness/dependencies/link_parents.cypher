// Link tasks to the jobs that they depend on, with the terms of each dependency.
UNWIND $rows AS row
MATCH (child:Job {key: row.key})
MATCH (parent:Job {key: row.parent_key})
CREATE (child)-[d:DEPENDS_ON]->(parent)
SET d = row.terms
