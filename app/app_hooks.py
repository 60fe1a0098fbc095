"""What ``panel serve app`` runs once, when the server starts."""

from app.page import shared_markup
from app.sessions import settle


def on_server_loaded(_: object) -> None:
    """Makes what all viewers share, so that the first one does not wait for it, nor any later collection."""
    shared_markup()
    settle()
