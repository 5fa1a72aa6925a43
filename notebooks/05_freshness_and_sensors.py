# %% [markdown]
# # Freshness and sensors
#
# Freshness terms define the maximum age of a table. The graph stores the terms of definitions and the
# terms set by users.

# %%
import lineagegraph as lg

graph = lg.connect()
board = graph.freshness()
board.expect("monthly_delay", lg.freshness("1d"))
board.expect("worst_routes", lg.freshness("1s"), grace="1s")
board

# %% [markdown]
# The board follows the graph. It shows the upstream cause of each stale node. The same question works
# for any table, with or without terms:

# %%
graph.cause("worst_routes")

# %%
board.forget("worst_routes")

# %% [markdown]
# ## Wait for a file
#
# A wait is a run in the graph and needs no process of its own. The cells below continue when the file
# exists; Interrupt ends the wait.

# %%
import asyncio
from pathlib import Path
from tempfile import mkdtemp

flag = Path(mkdtemp()) / "delivered.csv"
waiting = asyncio.create_task(lg.wait_async(lg.sensor("file", path=str(flag), poke_interval=1)))
await asyncio.sleep(3)
waiting.done()

# %%
flag.touch()
await waiting
