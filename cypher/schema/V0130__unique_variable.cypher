// Every variable has its own name.
CREATE CONSTRAINT unique_variable IF NOT EXISTS FOR (n:Variable) REQUIRE n.name IS UNIQUE
