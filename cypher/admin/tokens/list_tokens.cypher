// The tokens by name, with the namespaces of each of their roles, and patterns of the datasets they own.
MATCH (t:Token)
RETURN t.name AS name,
       t.hash AS hash,
       t.read AS read,
       t.write AS write,
       t.operate AS operate,
       coalesce(t.admin, []) AS admin,
       coalesce(t.datasets, []) AS datasets,
       t.created_at AS created_at,
       t.expires_at AS expires_at,
       t.used_at AS used_at,
       t.rotated_at AS rotated_at,
       t.old_hash AS old_hash,
       t.old_until AS old_until
ORDER BY name
