"""Which options a change is related to, and for which configurations it does the same."""
