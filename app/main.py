"""What ``panel serve app`` runs, once for each viewer."""

from app.about import TITLE
from app.page import served_page

served_page().servable(title=TITLE)
