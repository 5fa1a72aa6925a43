// The tokens by name, with the namespaces of each of their roles, and patterns of the datasets they own.
MATCH (t:Token)
RETURN t.name AS name,
       t.hash AS hash,
       t.read AS read,
       t.write AS write,
       t.operate AS operate,
       coalesce(t.datasets, []) AS datasets,
       t.created_at AS created_at
ORDER BY name
