"""Profiles of benchmarks: what each function of the build did in one run.

profiler = choose_profiler(snapshot.languages.values(), processes, sandbox)
taken = profile(runs, order, build, inputs.path, lane=0, profiler=profiler)
"""

from sonde.effects.profiles.profiler import Profiler, choose_profiler, profile

__all__ = ["Profiler", "choose_profiler", "profile"]
