"""How a session starts where nothing is said."""

from lineagegraph.spark.session_conf import application_name, session_conf


def test_what_is_given_beats_the_defaults():
    conf = session_conf({"spark.sql.shuffle.partitions": "7", "spark.app.name": "nightly"})
    assert conf["spark.sql.shuffle.partitions"] == "7"
    assert conf["spark.master"] == "local[*]"
    assert application_name(conf) == "nightly"


def test_a_cluster_is_not_bound_to_this_machine():
    conf = session_conf({"spark.master": "spark://head:7077"})
    assert "spark.driver.host" not in conf
    assert "spark.sql.shuffle.partitions" not in conf


def test_java_options_that_are_given_are_kept():
    conf = session_conf({"spark.driver.extraJavaOptions": "-Dx=1"})
    assert conf["spark.driver.extraJavaOptions"].endswith(" -Dx=1")


def test_an_application_without_a_name_of_its_own_is_spark():
    assert application_name(session_conf({})) == "spark"
