"""The programs that create and remove a cluster."""

from pathlib import Path
from time import monotonic

import pytest

from lineagegraph.errors import RunError
from lineagegraph.execution.clusters import hooks
from lineagegraph.model.pipelines.definition import Cluster


def test_a_destroy_that_hangs_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hooks, "LONGEST_DESTROY", 0.5)
    cluster = Cluster(name="big", destroy=("sh", "-c", "echo asked; sleep 60"))
    began = monotonic()
    with pytest.raises(RunError, match=r"cluster big: destroy failed: .* was killed by SIGTERM"):
        hooks.Hooks(cluster, "run", "load", tmp_path, tmp_path).destroy(again=False)
    assert monotonic() - began < 20
    assert "asked" in (tmp_path / "cluster@big.log").read_text()
