// Every namespace has its own name.
CREATE CONSTRAINT unique_namespace IF NOT EXISTS FOR (n:Namespace) REQUIRE n.name IS UNIQUE
