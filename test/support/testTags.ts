/** Options of a test, or of a group of tests, that `npm test` leaves out and `npm run slow` runs. */
export const slowHalf = { tags: ['slow'] };
