"""What several strategies are built from: words, cosines, the score of links by a table, first pages."""
