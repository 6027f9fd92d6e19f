"""Sabot: an electronic table game system for baccarat."""
