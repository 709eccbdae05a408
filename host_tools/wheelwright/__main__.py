"""`python -m wheelwright` is the command `wheelwright`."""

import sys

from wheelwright.cli import main

sys.exit(main())
