// The data sources that users created, by name.
MATCH (s:DataSource)
WHERE s.name IS NOT NULL
RETURN s.name AS name, s.type AS type, s.connection_url AS connection_url,
       s.description AS description, s.created_at AS created_at, s.updated_at AS updated_at
ORDER BY s.name
