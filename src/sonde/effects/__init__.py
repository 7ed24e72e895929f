"""Everything that touches the world: git, builds, runs, the store."""
