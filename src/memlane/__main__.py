"""`python -m memlane` is `lane`."""

from memlane.surfaces.cli import main

if __name__ == "__main__":
    main()
