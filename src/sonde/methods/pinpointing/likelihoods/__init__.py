"""The search of the paper: likelihoods of change, candidate revisions, and a Lasso a candidate.

S. Mühlbauer, S. Apel, N. Siegmund: Identifying Software Performance Changes Across Variants and Versions.
ASE 2020, section 3. Sections and equations are those of this paper. `search` is the loop; `samples` is what
was measured; each step of an iteration has a file: `likelihood` (3.2), `peaks` and `candidates` (3.3.1),
`association` (3.3.2), `new_steps`, `new_configurations` and `budget` (3.4), `solution_cache` (3.5). `changes`
turns what is in the cache into findings. The paper's commit is a step here.
"""
