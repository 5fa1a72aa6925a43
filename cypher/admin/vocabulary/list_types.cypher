// The types that relationships have.
CALL db.relationshipTypes() YIELD relationshipType AS type
RETURN type
ORDER BY type
