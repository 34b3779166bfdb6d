/**
 * Student's t distribution: what turns a standard error from few blocks into an interval.
 * Source: Abramowitz & Stegun, Handbook of Mathematical Functions, 26.7.1 (distribution by the incomplete beta function)
 * and 26.5.8 (its continued fraction), evaluated by Lentz's method.
 */

/** Lanczos coefficients for g = 7, n = 9; relative error below 1e-14 for positive arguments. */
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** ln Γ(x) for x ≥ 0.5, which is all that degrees of freedom ≥ 1 ask for. */
function logGamma(x: number): number {
  const shifted = x - 1;
  const base = shifted + 7.5;
  let sum = lanczos[0] ?? 1;
  for (let i = 1; i < lanczos.length; i += 1) sum += (lanczos[i] ?? 0) / (shifted + i);
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum);
}

/** The continued fraction of the incomplete beta function; converges quickly for x < (a + 1)/(a + b + 2). */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 - ((a + b) * x) / (a + 1);
  d = 1 / (Math.abs(d) < tiny ? tiny : d);
  let result = d;
  for (let m = 1; m <= 500; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let step = 1;
    for (const term of [even, odd]) {
      d = 1 + term * d;
      d = 1 / (Math.abs(d) < tiny ? tiny : d);
      c = 1 + term / c;
      if (Math.abs(c) < tiny) c = tiny;
      step = c * d;
      result *= step;
    }
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return result;
}

/** The regularised incomplete beta function I_x(a, b), given both x and 1 − x so that neither loses digits near 1. */
function incompleteBeta(x: number, complement: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (complement <= 0) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(complement));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(complement, b, a)) / b;
}

/** P(T > |t|): one tail, exact also where it is tiny. */
function upperTail(t: number, degreesOfFreedom: number): number {
  const square = t * t;
  const sum = degreesOfFreedom + square;
  return 0.5 * incompleteBeta(degreesOfFreedom / sum, square / sum, degreesOfFreedom / 2, 0.5);
}

/** P(T ≤ t) for `degreesOfFreedom` ≥ 1, which need not be whole (Welch). */
export function studentTProbability(t: number, degreesOfFreedom: number): number {
  const tail = upperTail(t, degreesOfFreedom);
  return t > 0 ? 1 - tail : tail;
}

/**
 * The t below which a share `probability` of the distribution lies: 0.975 for a two-sided 95 % interval, 0.95 for a one-sided one.
 * By bisection on the tail, to 1e-12 relative.
 * @throws RangeError when `probability` is not inside 0 … 1 or `degreesOfFreedom` is below 1.
 */
export function studentTQuantile(probability: number, degreesOfFreedom: number): number {
  if (!(probability > 0 && probability < 1)) throw new RangeError(`probability ${probability} is not between 0 and 1`);
  if (!(degreesOfFreedom >= 1)) throw new RangeError(`${degreesOfFreedom} degrees of freedom are too few`);
  if (probability === 0.5) return 0;
  // A judgement of a tuning asks for the same few quantiles hundreds of times.
  const name = `${probability} ${degreesOfFreedom}`;
  const known = quantiles.get(name);
  if (known !== undefined) return known;
  if (quantiles.size >= 1000) quantiles.clear();
  const t = bisectedQuantile(probability, degreesOfFreedom);
  quantiles.set(name, t);
  return t;
}

const quantiles = new Map<string, number>();

function bisectedQuantile(probability: number, degreesOfFreedom: number): number {
  const tail = Math.min(probability, 1 - probability);
  let low = 0;
  let high = 1;
  while (upperTail(high, degreesOfFreedom) > tail && high < 1e300) {
    low = high;
    high *= 2;
  }
  for (let i = 0; i < 200 && high - low > 1e-12 * high; i += 1) {
    const middle = (low + high) / 2;
    if (upperTail(middle, degreesOfFreedom) > tail) low = middle;
    else high = middle;
  }
  const t = (low + high) / 2;
  return probability > 0.5 ? t : -t;
}
