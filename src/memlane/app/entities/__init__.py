"""Whom and what are Memories about?"""
