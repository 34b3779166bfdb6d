/** An engine whose client is gone for so long is killed: it has 1.9 s for its own end, and has not reacted. */
export const engineGraceMs = 3_000;
