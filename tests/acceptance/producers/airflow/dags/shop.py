"""A DAG with a task group, in which a task runs Spark, one dbt, and one another DAG."""

import os

from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.operators.trigger_dagrun import TriggerDagRunOperator
from airflow.sdk import DAG, TaskGroup

PARENT = "{{ macros.OpenLineageProviderPlugin.lineage_parent_id(task_instance) }}"
ROOT = "{{ macros.OpenLineageProviderPlugin.lineage_root_parent_id(task_instance) }}"

with DAG("shop", schedule=None), TaskGroup("load"):
    spark = SparkSubmitOperator(
        task_id="spark",
        application=os.environ["SHOP_APPLICATION"],
        application_args=[os.environ["SHOP_FOLDER"]],
        name="nightly",
        conf={
            "spark.ui.enabled": "false",
            "spark.jars.packages": "io.openlineage:openlineage-spark_2.13:1.53.0",
            "spark.extraListeners": "io.openlineage.spark.agent.OpenLineageSparkListener",
            "spark.openlineage.namespace": "spark",
        },
        openlineage_inject_parent_job_info=True,
        openlineage_inject_transport_info=True,
    )
    dbt = BashOperator(
        task_id="dbt",
        bash_command="dbt-ol build",
        cwd=os.environ["SHOP_DBT"],
        env={"OPENLINEAGE_PARENT_ID": PARENT, "OPENLINEAGE_ROOT_PARENT_ID": ROOT},
        append_env=True,
    )
    refresh = TriggerDagRunOperator(task_id="refresh", trigger_dag_id="refresh")
    spark >> dbt >> refresh

with DAG("refresh", schedule=None):
    BashOperator(task_id="reports", bash_command="true")
