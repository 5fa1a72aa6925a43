"""What lives for minutes gains nothing from Java that is compiled well: half its work is that."""

QUICK_JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
