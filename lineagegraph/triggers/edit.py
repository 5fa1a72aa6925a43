"""Create and change triggers by hand."""

from datetime import datetime

from lineagegraph.errors import ChangedMeanwhile, InvalidRule, NameTaken, NotFound
from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import text_hash
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.store.admin.states import claim_triggers
from lineagegraph.store.pipelines.definition_files import get_stated
from lineagegraph.store.triggers import catalog
from lineagegraph.triggers.stated import trigger_id
from lineagegraph.triggers.write import Maker, delete_trigger, set_trigger

DEFINITION = "definition"


def edit_trigger(
    tx: Transaction,
    rule: Trigger,
    *,
    starts: str,
    name: str,
    namespace: str,
    is_new: bool,
    enabled: bool = True,
    known_hash: str | None = None,
    token: str | None = None,
    now: datetime | None = None,
) -> str:
    """Create a trigger, with the flag for a new one, or change one, and return its id.

    `known_hash` is the `rule_hash` of the rule that the change began with; None to change any.
    `token` is the name of the author's token, which counts for a schedule.
    Raises `NameTaken` if another trigger of the job has the name, `NotFound` if the one to change
    was deleted meanwhile, `ChangedMeanwhile` if it has another rule, and `InvalidRule` if a
    definition states the trigger: the next sync would undo the change.
    """
    if not name.strip():
        raise InvalidRule("the trigger needs a name")
    id_ = trigger_id(starts, name)
    # The lock makes another change wait, which then finds the rule of this one.
    claim_triggers(tx, keys=[id_])
    known = catalog.get_trigger(tx, id=id_) if catalog.list_named(tx, name=id_) else None
    if known is not None and is_new:
        raise NameTaken(f"trigger {name!r} exists already: change it, or choose another name")
    if known is None and not is_new:
        raise NotFound(f"trigger {name!r} was deleted meanwhile: make a new one to have it again")
    if known is not None and known.origin == DEFINITION:
        raise InvalidRule(
            f"{name} is defined in {definition_location(tx, starts)}: change it there"
        )
    if known is not None and known_hash not in (None, rule_hash(known.rule)):
        raise ChangedMeanwhile(
            f"trigger {name!r} was changed meanwhile and is now {known.text!r}: "
            "cancel, and edit it as it is now"
        )
    origin = known.origin if known and known.origin else "request"
    return set_trigger(
        tx,
        rule,
        starts=starts,
        name=name,
        namespace=namespace,
        enabled=enabled,
        origin=origin,
        maker=Maker(token),
        now=now,
    )


def remove_trigger(tx: Transaction, id_: str, known_hash: str | None = None) -> None:
    """Delete a trigger; `known_hash` is the `rule_hash` of the rule that a person saw.

    Raises `NotFound` if it was deleted meanwhile, and `ChangedMeanwhile` if it has another rule.
    """
    known = catalog.get_trigger(tx, id=id_) if claim_triggers(tx, keys=[id_]) else None
    if known is None:
        raise NotFound(f"trigger {id_!r} was deleted meanwhile")
    if known_hash not in (None, rule_hash(known.rule)):
        raise ChangedMeanwhile(
            f"trigger {known.name!r} was changed meanwhile and is now {known.text!r}: "
            "look at it, and delete it again"
        )
    delete_trigger(tx, starts=known.job_key or "", name=known.name or "")


def rule_hash(rule: str | None) -> str:
    """Return the hash of a rule, by its JSON in the graph."""
    return text_hash(rule or "")


def definition_location(tx: Transaction, job_key: str) -> str:
    """Return the place in which a pipeline is stated, as `FILE:LINE`."""
    stated = get_stated(tx, job_key=job_key)
    if stated is None:
        return "a definition"
    return f"{stated.file}:{stated.line}" if stated.line else stated.file
