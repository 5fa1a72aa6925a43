// Every data source has its own name.
CREATE CONSTRAINT unique_data_source IF NOT EXISTS FOR (n:DataSource) REQUIRE n.name IS UNIQUE
