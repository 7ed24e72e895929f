"""Hot code: which lines and routines cost time, and which values decide how much they do."""
