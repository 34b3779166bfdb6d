/** Options of a test, or of a group of tests, that takes seconds of two cores: `npm test` leaves it out, CI and `npm test -- --long` run it. */
export const longTest = { tags: ['long'] };
/** Options of those that only `npm run slow` runs. */
export const slowHalf = { tags: ['slow'] };
