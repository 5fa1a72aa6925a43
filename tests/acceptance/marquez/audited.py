"""Operations whose examples leave no entry in the audit log of their own."""

# The event is stored with its author: it is the record of itself.
_EVENT = "it sends an event, which is stored with its author"
_READS = "it only reads"
_SAME = "it changes nothing in the example"
UNAUDITED = {
    "postEvent": _EVENT,
    "postEvents": _EVENT,
    "putDataset": _EVENT,
    "putJob": _EVENT,
    "postRun": _EVENT,
    "postStartRun": _EVENT,
    "postCompleteRun": _EVENT,
    "postFailRun": _EVENT,
    "postAbortRun": _EVENT,
    "listNextRunTimes": _READS,
    "listPreviousRunTimes": _READS,
    "previewBackfill": _READS,
    "rerun": _READS,
    "askView": _SAME,
    "reEnableSchedules": _SAME,
    "redriveTrigger": _SAME,
    "updateScheduleOfVersion": _SAME,
}
