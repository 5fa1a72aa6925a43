# %% [markdown]
# # Versions and reruns
#
# Each run has the version of the pipeline that it ran, with its code and where it came from.

# %%
import lineagegraph as lg

graph = lg.connect()
graph.runs("nyc.delays")

# %% [markdown]
# A run again, as it was: the same code, parameters and inputs, or a refusal that says what is missing.

# %%
first = graph.runs("nyc.delays").records[-1]["id"]
again = lg.rerun(first, policy="as_was", tasks=["daily"])
await again

# %% [markdown]
# The history shows both: bars are durations, a click opens a run's tree as a chart of its tasks and
# Spark actions. Two runs are compared side by side, down to the lines of code that changed.

# %%
history = graph.history("nyc.delays")
history

# %% [markdown]
# ## Another version
#
# An edit of a cell or file is another version. Here the same pipeline has two, of which both have run:


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
