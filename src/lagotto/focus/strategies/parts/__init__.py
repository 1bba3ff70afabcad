"""What several strategies are built from: tables, link scores, link counts, checks of options."""
