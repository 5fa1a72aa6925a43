// Those of some namespaces that have a reported or defined job.
UNWIND $names AS name
MATCH (j:Job {namespace: name})
RETURN DISTINCT name
