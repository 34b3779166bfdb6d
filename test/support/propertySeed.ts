import fc from 'fast-check';

/**
 * Property tests try the same inputs each time while somebody waits for the answer, so that a change is blamed for what it did. The slow half tries
 * others each time, and more of them (BENCHSIDE_PROPERTIES=random).
 */
fc.configureGlobal(process.env['BENCHSIDE_PROPERTIES'] === 'random' ? { numRuns: 500 } : { seed: 1_618_033 });
