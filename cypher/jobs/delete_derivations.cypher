// Forget the column lineage that jobs do, to be told again from their runs.
UNWIND $keys AS key
MATCH (:Field)-[x:DERIVED_FROM {job_key: key}]->(:Field)
DELETE x
