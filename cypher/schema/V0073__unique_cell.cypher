// A cell is there once.
CREATE CONSTRAINT unique_cell IF NOT EXISTS FOR (n:Cell) REQUIRE n.id IS UNIQUE
