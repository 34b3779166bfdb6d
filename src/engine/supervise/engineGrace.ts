/** An engine whose client is gone for so long is ended by force: it has 1.9 s for its own end, and has not noticed anything. */
export const engineGraceMs = 3_000;
