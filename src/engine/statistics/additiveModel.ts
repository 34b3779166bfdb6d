/** One measured block: the logarithm of its throughput, for one setting in one round. */
export interface Cell {
  setting: string;
  round: number;
  value: number;
}

/** Least-squares fit of value = setting + round + error; see {@link fitAdditive}. */
export interface AdditiveFit {
  /** Mean of a setting over all rounds, adjusted for the rounds it was not measured in. */
  mean(setting: string): number;
  /** Variance of that mean, with the rounds taken as given. */
  varianceOfMean(setting: string): number;
  varianceOfDifference(a: string, b: string): number;
  /** Variance of one block about the model: the residual mean square. */
  variance: number;
  degreesOfFreedom: number;
}

/** Inverts a symmetric positive definite matrix by Gauss–Jordan elimination with pivoting; `null` when it is singular. */
function inverse(matrix: readonly (readonly number[])[]): number[][] | null {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...Array.from({ length: n }, (_, j) => (i === j ? 1 : 0))]);
  for (let column = 0; column < n; column += 1) {
    let pivot = column;
    for (let i = column + 1; i < n; i += 1) {
      if (Math.abs(rows[i]?.[column] ?? 0) > Math.abs(rows[pivot]?.[column] ?? 0)) pivot = i;
    }
    const pivotRow = rows[pivot];
    const swapped = rows[column];
    const scale = pivotRow?.[column] ?? 0;
    if (pivotRow === undefined || swapped === undefined || Math.abs(scale) < 1e-9) return null;
    rows[pivot] = swapped;
    rows[column] = pivotRow.map((value) => value / scale);
    const unit = rows[column] ?? [];
    for (let i = 0; i < n; i += 1) {
      const factor = rows[i]?.[column] ?? 0;
      if (i !== column && factor !== 0) rows[i] = (rows[i] ?? []).map((value, j) => value - factor * (unit[j] ?? 0));
    }
  }
  return rows.map((row) => row.slice(n));
}

/**
 * Fits settings and rounds at once (randomised complete block design when every setting has a block in every round; the same
 * least squares when blocks are missing, so that an invalid block costs one block, not its whole round).
 * Source: Montgomery, Design and Analysis of Experiments, §4.1, and its general regression form for missing values.
 * Returns `null` when there are no degrees of freedom left, or settings are tied together by no common round.
 */
export function fitAdditive(cells: readonly Cell[]): AdditiveFit | null {
  const settings = [...new Set(cells.map((cell) => cell.setting))];
  const rounds = [...new Set(cells.map((cell) => cell.round))];
  const k = settings.length;
  const parameters = k + rounds.length - 1;
  const degreesOfFreedom = cells.length - parameters;
  if (k < 2 || degreesOfFreedom < 1) return null;

  // Round effects sum to zero (the last is minus the others), so that a setting's own parameter is its mean over the rounds.
  const design = cells.map((cell) => {
    const row = new Array<number>(parameters).fill(0);
    row[settings.indexOf(cell.setting)] = 1;
    const round = rounds.indexOf(cell.round);
    if (round < rounds.length - 1) row[k + round] = 1;
    else row.fill(-1, k);
    return row;
  });
  const normal = Array.from({ length: parameters }, (_, i) =>
    Array.from({ length: parameters }, (__, j) => design.reduce((sum, row) => sum + (row[i] ?? 0) * (row[j] ?? 0), 0)),
  );
  const covariance = inverse(normal);
  if (covariance === null) return null;
  const moments = Array.from({ length: parameters }, (_, i) =>
    design.reduce((sum, row, c) => sum + (row[i] ?? 0) * (cells[c]?.value ?? 0), 0),
  );
  const estimates = covariance.map((row) => row.reduce((sum, value, j) => sum + value * (moments[j] ?? 0), 0));
  const residual = cells.reduce((sum, cell, c) => {
    const predicted = (design[c] ?? []).reduce((total, value, j) => total + value * (estimates[j] ?? 0), 0);
    return sum + (cell.value - predicted) ** 2;
  }, 0);
  const variance = residual / degreesOfFreedom;
  const entry = (a: string, b: string): number => covariance[settings.indexOf(a)]?.[settings.indexOf(b)] ?? Number.NaN;
  return {
    mean: (setting) => estimates[settings.indexOf(setting)] ?? Number.NaN,
    varianceOfMean: (setting) => variance * entry(setting, setting),
    varianceOfDifference: (a, b) => variance * (entry(a, a) + entry(b, b) - 2 * entry(a, b)),
    variance,
    degreesOfFreedom,
  };
}
