// The definition files of a host that are due to be read again.
MATCH (f:DefinitionFile {host: $host})
WHERE f.next_at <= coalesce($now, datetime.realtime())
RETURN f.file AS file
ORDER BY file
