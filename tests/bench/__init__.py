"""`make bench`: what the product costs, as ratios to a peer or a limit measured or named in the same run."""
