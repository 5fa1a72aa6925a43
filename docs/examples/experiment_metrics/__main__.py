"""Write the events of the days that are named, or else of the two days of the story."""

import argparse
import json
from datetime import date

from docs.examples.experiment_metrics import DAYS, REGIONS, make_events

parser = argparse.ArgumentParser(prog="python -m docs.examples.experiment_metrics")
parser.description = __doc__
parser.add_argument("days", metavar="YYYY-MM-DD", nargs="*", type=date.fromisoformat)
parser.add_argument("--region", dest="regions", action="append", choices=REGIONS)
chosen = parser.parse_args()
for event in make_events(chosen.days or DAYS, chosen.regions or REGIONS):
    print(json.dumps(event, ensure_ascii=False))
