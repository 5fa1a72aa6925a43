// The reasons to drop a schedule's firing: roles that its maker's token has no more.
MATCH (f:Firing {key: $key})<-[:FIRED]-(t:Trigger {origin: 'schedule'})-[:STARTS]->(j:Job)
WHERE t.made_by IS NOT NULL
OPTIONAL MATCH (k:Token {name: t.made_by})
WHERE k.expires_at IS NULL OR k.expires_at > datetime.realtime()
WITH t, coalesce(k.read, []) AS read, coalesce(k.operate, []) AS operate, j.namespace AS own
WITH t,
     [n IN [own] WHERE NOT (n IN operate OR '*' IN operate) | 'operate in namespace ' + n] +
     [n IN t.reads WHERE NOT (n IN read OR '*' IN read) | 'read namespace ' + n] AS lacking
WHERE size(lacking) > 0
RETURN
  'rights' AS kind,
  'abort' AS otherwise,
  'token ' + t.made_by + ' may not ' + lacking[0] AS text,
  null AS until
