// The names of the properties of nodes and relationships.
CALL db.propertyKeys() YIELD propertyKey AS name
RETURN name
ORDER BY name
