// The namespace and name that a run gives its job.
MATCH (r:Run {id: $id})
RETURN r.namespace AS namespace, r.name AS name
