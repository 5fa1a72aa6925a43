"""The daemon: APScheduler jobs that call the other rooms."""
