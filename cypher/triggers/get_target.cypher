// A job that a trigger starts, or is to start.
MATCH (j:Job {key: $key})
RETURN j.key AS key, j.namespace AS namespace, j.name AS name, j.fqn AS fqn
