"""The sensor of a step, with the values of its run."""

from lineagegraph.execution.parameters import filled
from lineagegraph.execution.plan import Step
from lineagegraph.execution.python_work import Load
from lineagegraph.model.wait_terms import WaitTerms
from lineagegraph.sensors import Sensor, permitted_sensor


def sensor_of(step: Step, load: Load) -> Sensor:
    """Return what a step waits for; raise `InvalidSensor` where its values make it none.

    So does what the settings forbid. `load` finds a function of the project, which goes into the
    sensor by value.
    """
    assert step.sensor is not None
    fields = filled(step.sensor.fields, step.params)
    if step.sensor.call:
        fields["function"] = load(step.sensor.call, step.path)
    return permitted_sensor(step.sensor.kind, fields, namespace=step.pipeline.namespace)


def terms_of(step: Step) -> WaitTerms:
    """Return how long and how often a step waits."""
    assert step.sensor is not None
    names = WaitTerms.__struct_fields__
    return WaitTerms(**{name: getattr(step.sensor, name) for name in names})
