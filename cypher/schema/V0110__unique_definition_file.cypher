// Every definition file of a host has its own key.
CREATE CONSTRAINT unique_definition_file IF NOT EXISTS FOR (n:DefinitionFile) REQUIRE n.key IS UNIQUE
