// The time of the database.
RETURN datetime.realtime() AS now
