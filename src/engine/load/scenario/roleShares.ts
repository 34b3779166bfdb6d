interface Weighted {
  weight: number;
}

/** The role whose next user brings the counts closest to the weights; of several, the first. */
export function fewestOf(roles: readonly Weighted[], counts: readonly number[]): number {
  return best(roles, (role, i) => (counts[i] ?? 0) + 1 - share(roles, role) * (sum(counts) + 1));
}

/** The role that loses a user when there is to be one less; of several, the last that has one. */
export function mostOf(roles: readonly Weighted[], counts: readonly number[]): number {
  const order = roles.map((_role, i) => i).reverse();
  const surplus = (i: number): number => {
    const role = roles[i];
    const count = counts[i] ?? 0;
    return role === undefined || count === 0 ? -Infinity : count - share(roles, role) * (sum(counts) - 1);
  };
  return order.reduce((most, i) => (surplus(i) > surplus(most) ? i : most), order[0] ?? 0);
}

function best(roles: readonly Weighted[], cost: (role: Weighted, index: number) => number): number {
  let found = 0;
  let lowest = Infinity;
  for (const [i, role] of roles.entries()) {
    const of = cost(role, i);
    if (of >= lowest) continue;
    lowest = of;
    found = i;
  }
  return found;
}

function share(roles: readonly Weighted[], { weight }: Weighted): number {
  return weight / roles.reduce((total, role) => total + role.weight, 0);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
