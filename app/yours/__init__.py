"""The reader's own figures: a model from its config.json, and a server's log beside the page's prediction."""
