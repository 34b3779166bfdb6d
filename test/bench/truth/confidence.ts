/** What is certain at this confidence, on one side. */
const confidence = 0.95;

/**
 * The share that is reached at the least, with 95 % confidence on one side, where `count` of `of` independent repetitions went as wished (Clopper and Pearson, Biometrika 26,
 * 1934): the share under which so many or more would come about in 5 % of cases. 0 … 1.
 */
export function atLeast(count: number, of: number): number {
  if (count === 0) return 0;
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (soManyOrMore(count, of, middle) < 1 - confidence) low = middle;
    else high = middle;
  }
  return low;
}

/** The probability of `count` or more of `of`, each with probability `p`. */
function soManyOrMore(count: number, of: number, p: number): number {
  let sum = 0;
  for (let k = count; k <= of; k += 1) sum += Math.exp(lnChoices(of, k) + k * Math.log(p) + (of - k) * Math.log1p(-p));
  return sum;
}

function lnChoices(of: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= k; i += 1) sum += Math.log((of - k + i) / i);
  return sum;
}
