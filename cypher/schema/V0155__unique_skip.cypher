// Every entry of the skip list has its own id.
CREATE CONSTRAINT unique_skip IF NOT EXISTS FOR (n:Skip) REQUIRE n.id IS UNIQUE
