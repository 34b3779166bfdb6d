/** What is known of a parameter before anything was measured: its place, and its mean and standard deviation. */
export interface Prior {
  at: number;
  mean: number;
  sd: number;
}

/** What is fitted: a row of factors, a value and a weight (1 for a block that nothing disturbed) for each block. */
export interface MixedModel {
  rows: readonly Float64Array[];
  values: readonly number[];
  weights: readonly number[];
  priors: readonly Prior[];
  /** Variance of a block of weight 1, as far as it is known. */
  error: number;
}

export interface MixedFit {
  estimates: Float64Array;
  /** Of the estimates, in units of the variance of a block of weight 1; row by row. */
  covariance: Float64Array;
  /** Of what is left, by weight. */
  squares: number;
  /** Less what the fit took up of them: what `squares` are of the variance of a block of weight 1. */
  freedom: number;
  /** ln of the restricted likelihood of `error` and the weights (Patterson & Thompson, Biometrika 58, 1971), but for a constant. */
  logLikelihood: number;
}

/** Weighted least squares where something is known of some parameters (mixed-model equations: Henderson, Biometrics 31, 1975). Null when the parameters cannot be told apart. */
export function solveMixed({ rows, values, weights, priors, error }: MixedModel): MixedFit | null {
  const parameters = rows[0]?.length ?? 0;
  const normal = new Float64Array(parameters * parameters);
  const moments = new Float64Array(parameters);
  for (const [c, row] of rows.entries()) {
    const weight = weights[c] ?? 1;
    for (let i = 0; i < parameters; i += 1) {
      const left = (row[i] ?? 0) * weight;
      if (left === 0) continue;
      moments[i] = (moments[i] ?? 0) + left * (values[c] ?? 0);
      for (let j = 0; j <= i; j += 1) normal[i * parameters + j] = (normal[i * parameters + j] ?? 0) + left * (row[j] ?? 0);
    }
  }
  for (const { at, mean, sd } of priors) {
    normal[at * parameters + at] = (normal[at * parameters + at] ?? 0) + error / sd ** 2;
    moments[at] = (moments[at] ?? 0) + (error / sd ** 2) * mean;
  }
  for (let i = 0; i < parameters; i += 1) for (let j = 0; j < i; j += 1) normal[j * parameters + i] = normal[i * parameters + j] ?? 0;
  const solved = inverse(normal, parameters);
  if (solved === null) return null;
  const { inverted: covariance, logDeterminant } = solved;
  const estimates = new Float64Array(parameters);
  for (let i = 0; i < parameters; i += 1)
    for (let j = 0; j < parameters; j += 1) estimates[i] = (estimates[i] ?? 0) + (covariance[i * parameters + j] ?? 0) * (moments[j] ?? 0);
  let squares = 0;
  let lnWeights = 0;
  for (const [c, row] of rows.entries()) {
    let predicted = 0;
    for (let j = 0; j < parameters; j += 1) predicted += (row[j] ?? 0) * (estimates[j] ?? 0);
    squares += (weights[c] ?? 1) * ((values[c] ?? 0) - predicted) ** 2;
    lnWeights += Math.log(weights[c] ?? 1);
  }
  // What was known of a parameter before takes nothing up of the squares.
  let freedom = rows.length - parameters;
  let known = 0;
  for (const { at, mean, sd } of priors) {
    freedom += (error / sd ** 2) * (covariance[at * parameters + at] ?? 0);
    known += (((estimates[at] ?? 0) - mean) / sd) ** 2;
  }
  const logLikelihood = (lnWeights - logDeterminant - (rows.length - parameters) * Math.log(error) - squares / error - known) / 2;
  return { estimates, covariance, squares, freedom, logLikelihood };
}

/** Inverts a symmetric positive definite matrix (row-major, n × n) by Cholesky's method; `null` when it is not positive definite. */
function inverse(matrix: Float64Array, n: number): { inverted: Float64Array; logDeterminant: number } | null {
  const lower = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = matrix[i * n + j] ?? 0;
      for (let m = 0; m < j; m += 1) sum -= (lower[i * n + m] ?? 0) * (lower[j * n + m] ?? 0);
      if (i > j) lower[i * n + j] = sum / (lower[j * n + j] ?? 1);
      else if (sum > 1e-10 * Math.max(1, matrix[i * n + i] ?? 1)) lower[i * n + i] = Math.sqrt(sum);
      else return null;
    }
  }
  // The inverse of the triangle, then (LLᵀ)⁻¹ = L⁻ᵀL⁻¹.
  const triangle = new Float64Array(n * n);
  for (let j = 0; j < n; j += 1) {
    triangle[j * n + j] = 1 / (lower[j * n + j] ?? 1);
    for (let i = j + 1; i < n; i += 1) {
      let sum = 0;
      for (let m = j; m < i; m += 1) sum -= (lower[i * n + m] ?? 0) * (triangle[m * n + j] ?? 0);
      triangle[i * n + j] = sum / (lower[i * n + i] ?? 1);
    }
  }
  let logDeterminant = 0;
  for (let i = 0; i < n; i += 1) logDeterminant += 2 * Math.log(lower[i * n + i] ?? 1);
  const inverted = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = 0;
      for (let m = i; m < n; m += 1) sum += (triangle[m * n + i] ?? 0) * (triangle[m * n + j] ?? 0);
      inverted[i * n + j] = sum;
      inverted[j * n + i] = sum;
    }
  }
  return { inverted, logDeterminant };
}
