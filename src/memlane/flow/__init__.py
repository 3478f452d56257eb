"""The path of the data, one file per arrow."""
