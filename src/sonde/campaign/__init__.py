"""The loop that joins a planner, an executor and a store, and keeps a budget. Pure."""
