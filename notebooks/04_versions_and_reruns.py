# %% [markdown]
# # Versions and reruns
#
# Each run keeps its version of the pipeline, with the code and its origin.

# %%
import lineagegraph as lg

graph = lg.connect()
graph.runs("nyc.delays")

# %% [markdown]
# Repeat a run as it was: with the same code, parameters and inputs. If something is missing, the rerun is refused with a list.

# %%
first = graph.runs("nyc.delays", day="today").records[-1]["id"]
again = lg.rerun(first, policy="as_was", tasks=["daily"])
await again

# %% [markdown]
# The history shows both runs: bars are durations, and a click opens a chart of the run's tasks and
# Spark actions. You can compare two runs side by side, down to the changed lines of code.

# %%
history = graph.history("nyc.delays")
history

# %% [markdown]
# ## Another version
#
# An edit of a cell or file creates another version. Here the same pipeline has two versions, and both have run:


# %%
@lg.task
def count(limit):
    lg.emit(counted=sum(range(limit)))


await lg.pipeline("lab.count", tasks=[count], params={"limit": 10}).run()


# %%
@lg.task
def count(limit):
    lg.emit(counted=sum(range(1, limit + 1)))


await lg.pipeline("lab.count", tasks=[count], params={"limit": 10}).run()

# %%
graph.history("lab.count")
