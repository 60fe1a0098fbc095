"""Engines' own rules, as far as the log reader needs them: small pure functions named after their engine.

``tests.truth.engines`` holds the rest, and checks all of them against what engines printed.
"""
