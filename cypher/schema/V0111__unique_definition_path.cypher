// Every path of a host that definitions are read from has its own key.
CREATE CONSTRAINT unique_definition_path IF NOT EXISTS FOR (n:DefinitionPath) REQUIRE n.key IS UNIQUE
