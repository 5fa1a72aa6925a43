// The namespaces that have an owner, of those with a name in a list.
UNWIND $names AS name
MATCH (n:Namespace {name: name})
WHERE n.owner IS NOT NULL
RETURN name, n.owner AS owner
ORDER BY name
