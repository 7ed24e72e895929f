"""`sonde pinpoint`: which revision changed which option."""
