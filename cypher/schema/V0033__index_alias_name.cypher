// Earlier names of jobs are found whatever their namespace.
CREATE INDEX alias_name IF NOT EXISTS FOR (n:Alias) ON (n.name)
