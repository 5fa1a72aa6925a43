"""A project on disk: its root, the modules that sources import, the programs that commands name."""
