// The reasons to drop a schedule's firing: namespaces that its maker's token may no longer read.
MATCH (f:Firing {key: $key})<-[:FIRED]-(t:Trigger {origin: 'schedule'})
WHERE t.made_by IS NOT NULL
OPTIONAL MATCH (k:Token {name: t.made_by})
WITH t, [n IN t.reads WHERE NOT (n IN coalesce(k.read, []) OR '*' IN coalesce(k.read, []))] AS lacking
WHERE size(lacking) > 0
RETURN
  'rights' AS kind,
  'abort' AS otherwise,
  'token ' + t.made_by + ' may not read namespace ' + lacking[0] AS text,
  null AS until
