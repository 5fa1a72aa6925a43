// The namespace and name of a run's job as its producer reported them.
MATCH (r:Run {id: $id})
RETURN r.namespace AS namespace, r.name AS name
