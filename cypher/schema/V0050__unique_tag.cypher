// Every tag has its own name.
CREATE CONSTRAINT unique_tag IF NOT EXISTS FOR (n:Tag) REQUIRE n.name IS UNIQUE
