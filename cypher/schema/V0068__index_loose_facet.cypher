// Facets of events that were deleted are found at once.
CREATE INDEX loose_facet IF NOT EXISTS FOR (n:Facet) ON (n.loose)
