/** A small seeded generator of uniform numbers in 0 … 1 (mulberry32), so that a simulation gives the same answer every time. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Standard normal numbers from uniform ones (Box–Muller). */
export function normal(uniform: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/**
 * The noise of a real machine over one run, in log units per 1-s tick: linear drift (sd 4 % over the run), a slow wander
 * (AR(1), φ 0.98, sd 2 %), and in every second run an episode of 5 … 25 s that costs 3 … 15 %.
 */
export function machineNoise(seconds: number, uniform: () => number): number[] {
  const gauss = normal(uniform);
  const drift = 0.04 * gauss();
  const phi = 0.98;
  let wander = 0.02 * gauss();
  const episode = uniform() < 0.5 ? { from: uniform() * seconds, lasts: 5 + 20 * uniform(), cost: 0.03 + 0.12 * uniform() } : null;
  return Array.from({ length: seconds }, (_, second) => {
    wander = phi * wander + Math.sqrt(1 - phi * phi) * 0.02 * gauss();
    const hit = episode !== null && second >= episode.from && second < episode.from + episode.lasts ? Math.log(1 - episode.cost) : 0;
    return drift * (second / seconds - 0.5) + wander + hit;
  });
}

/** Noise of successive 1-s ticks of throughput (sd 3 %, φ 0.3). */
export function tickNoise(count: number, gauss: () => number): number[] {
  const phi = 0.3;
  let state = 0.03 * gauss();
  return Array.from({ length: count }, () => {
    state = phi * state + Math.sqrt(1 - phi * phi) * 0.03 * gauss();
    return state;
  });
}

export interface SimulatedBlock {
  setting: number;
  round: number;
  throughput: number;
}

/**
 * One experiment: every setting once a round, shuffled in odd rounds and that order reversed in even ones, blocks of
 * `blockS` seconds after 1 s of settling, each with an error of its own (sd 1.5 %). `truth` is the throughput of each setting.
 */
export function simulateExperiment(truth: readonly number[], rounds: number, blockS: number, uniform: () => number): SimulatedBlock[] {
  const gauss = normal(uniform);
  const machine = machineNoise(truth.length * rounds * (blockS + 1), uniform);
  const blocks: SimulatedBlock[] = [];
  let order: number[] = [];
  let second = 0;
  for (let round = 1; round <= rounds; round += 1) {
    if (round % 2 === 1) {
      order = truth.map((_, index) => index);
      for (let i = order.length - 1; i > 0; i -= 1) {
        const j = Math.floor(uniform() * (i + 1));
        [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
      }
    } else order.reverse();
    for (const setting of order) {
      second += 1;
      const own = 0.015 * gauss();
      const ticks = tickNoise(blockS, gauss);
      let sum = 0;
      for (const tick of ticks) {
        sum += (truth[setting] ?? 0) * Math.exp(own + tick + (machine[second] ?? 0));
        second += 1;
      }
      blocks.push({ setting, round, throughput: sum / blockS });
    }
  }
  return blocks;
}
