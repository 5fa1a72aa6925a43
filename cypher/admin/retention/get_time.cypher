// The database's time.
RETURN datetime.realtime() AS time
