"""Relate: from claims to relations, from items to places; pure, and each answer with words that a person can check."""
