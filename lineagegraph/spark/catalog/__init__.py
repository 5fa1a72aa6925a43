"""Commands on tables of catalogs that are about no rows."""
