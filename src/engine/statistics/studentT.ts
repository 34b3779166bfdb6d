import jstat from 'jstat';

/** P(T ≤ t) of Student's t for `degreesOfFreedom` ≥ 1, which need not be whole (Welch). By jstat, to 1e-7 up to 10,000 degrees. */
export function studentTProbability(t: number, degreesOfFreedom: number): number {
  return jstat.studentt.cdf(t, degreesOfFreedom);
}

/**
 * The t below which a share `probability` of the distribution lies: 0.975 for a two-sided 95 % interval, 0.95 for a one-sided one.
 * @throws RangeError when `probability` is not inside 0 … 1 or `degreesOfFreedom` is below 1.
 */
export function studentTQuantile(probability: number, degreesOfFreedom: number): number {
  if (!(probability > 0 && probability < 1)) throw new RangeError(`probability ${probability} is not between 0 and 1`);
  if (!(degreesOfFreedom >= 1)) throw new RangeError(`${degreesOfFreedom} degrees of freedom are too few`);
  return jstat.studentt.inv(probability, degreesOfFreedom);
}
