"""One file a question: joins methods, campaign and effects. Also the Python API."""
