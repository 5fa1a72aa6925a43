// Every dataset version has its own key.
CREATE CONSTRAINT unique_dataset_version IF NOT EXISTS FOR (n:DatasetVersion) REQUIRE n.key IS UNIQUE
