// The types of relationships.
CALL db.relationshipTypes() YIELD relationshipType AS type
RETURN type
ORDER BY type
