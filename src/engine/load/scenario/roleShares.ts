interface Weighted {
  weight: number;
}

/** The role whose next user brings the counts closest to the weights; of several, the first. */
export function fewestOf(roles: readonly Weighted[], counts: readonly number[]): number {
  const surplus = (i: number): number => (counts[i] ?? 0) + 1 - share(roles, i) * (sum(counts) + 1);
  return roles.reduce((fewest, _role, i) => (surplus(i) < surplus(fewest) ? i : fewest), 0);
}

/** The role that loses a user when there is to be one less; of several, the last that has one. */
export function mostOf(roles: readonly Weighted[], counts: readonly number[]): number {
  const surplus = (i: number): number => ((counts[i] ?? 0) === 0 ? -Infinity : (counts[i] ?? 0) - share(roles, i) * (sum(counts) - 1));
  return roles.reduce((most, _role, i) => (surplus(i) >= surplus(most) ? i : most), 0);
}

function share(roles: readonly Weighted[], i: number): number {
  return (roles[i]?.weight ?? 0) / roles.reduce((total, { weight }) => total + weight, 0);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
