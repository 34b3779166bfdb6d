import { sendJson } from '../../../node/answers.mjs';
import { numberIn } from '../../../node/parameters.mjs';

/** A fixed amount of work and not of time: a faster machine is done sooner. */
const ITERATIONS_PER_MS = 100_000;
const SEED = 20_260_101;

export function compute({ response, query }) {
  const ms = numberIn(query, 'ms', 0, 1000, 5);
  sendJson(response, 200, { ms, hash: computeHash(ms * ITERATIONS_PER_MS) });
}

/** The last of so many numbers of a linear congruential generator, each of which needs the one before. */
function computeHash(iterations) {
  let x = SEED;
  for (let i = 0; i < iterations; i += 1) x = (Math.imul(x, 1_664_525) + 1_013_904_223) | 0;
  return x >>> 0;
}
