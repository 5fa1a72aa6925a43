# %% [markdown]
# # Freshness and sensors
#
# How old may a table be? Terms of freshness are in the graph, beside what they are about: those that
# a definition states, and those that people set.

# %%
import lineagegraph as lg

graph = lg.connect()
board = graph.freshness()
board.expect("monthly_delay", lg.freshness("1d"))
board.expect("worst_routes", lg.freshness("1s"), grace="1s")
board

# %% [markdown]
# The board follows the graph. What is stale says what is to blame, however far upstream; the same is
# an answer for any table, with terms or without:

# %%
graph.cause("worst_routes")

# %%
board.forget("worst_routes")

# %% [markdown]
# ## Waiting for what is not there yet
#
# A wait is a run in the graph and costs no process. Cells below go on when what is waited for is
# there; Interrupt leaves the wait.

# %%
import asyncio
from pathlib import Path
from tempfile import mkdtemp

flag = Path(mkdtemp()) / "delivered.csv"
waiting = asyncio.create_task(lg.wait(lg.sensor("file", path=str(flag), poke_interval=1)))
await asyncio.sleep(3)
waiting.done()

# %%
flag.touch()
await waiting
