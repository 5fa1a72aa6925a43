// An earlier name of jobs is one node.
CREATE CONSTRAINT unique_alias IF NOT EXISTS FOR (a:Alias) REQUIRE a.key IS UNIQUE
