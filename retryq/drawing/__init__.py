"""How `retryq.timeline` draws: the layout of `retryq.lanes` placed on a sheet, and inked by matplotlib."""
