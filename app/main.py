"""What ``panel serve app`` runs, once for each viewer."""

from app.page import served_page

served_page().servable(title="The KV cache, in four acts")
