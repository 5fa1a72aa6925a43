"""The agenda gives each name once, in the order of what is due."""

from lineagegraph.sensing.due_queue import Agenda


def test_what_is_due_comes_in_order_and_once() -> None:
    agenda = Agenda()
    for name, due in [("c", 3.0), ("a", 1.0), ("b", 2.0), ("d", 9.0)]:
        agenda.put(name, due)
    assert agenda.take_due(5.0) == [("a", 1.0), ("b", 2.0), ("c", 3.0)]
    assert agenda.take_due(5.0) == []
    assert agenda.next_due() == 9.0


def test_a_name_that_is_put_again_is_due_at_the_new_time_only() -> None:
    agenda = Agenda()
    agenda.put("a", 5.0)
    agenda.put("a", 1.0)
    assert agenda.take_due(2.0) == [("a", 1.0)]
    assert agenda.take_due(9.0) == []


def test_a_dropped_name_never_comes() -> None:
    agenda = Agenda()
    agenda.put("a", 1.0)
    agenda.drop("a")
    assert agenda.next_due() is None
    assert agenda.when("a") is None
