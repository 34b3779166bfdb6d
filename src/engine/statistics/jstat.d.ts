/** What we use of jstat 1.9.6, which carries no types. */
declare module 'jstat' {
  const jstat: {
    /** Of two samples of the same length, by n − 1. */
    covariance(x: readonly number[], y: readonly number[]): number;
    /** Student's t: the share below `t`, and the t below which a share lies. */
    studentt: {
      cdf(t: number, degreesOfFreedom: number): number;
      inv(probability: number, degreesOfFreedom: number): number;
    };
  };
  export = jstat;
}
