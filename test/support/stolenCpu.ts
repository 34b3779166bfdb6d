import { readFileSync } from 'node:fs';
import path from 'node:path';

/** How much of a machine's CPU the hypervisor took: a recorded trace that begins again at its end. Times are seconds on the trace. */
export interface StolenCpu {
  lengthS: number;
  /** Mean share, 0 … 1, of the window from `fromS` to `toS`. */
  share(fromS: number, toS: number): number;
}

const stepS = 0.5;
/** Something always runs; more than this was never seen. */
const mostShare = 0.95;

/** A trace of shares of half a second each. */
export function stolenCpu(shares: readonly number[]): StolenCpu {
  const sums = [0];
  for (const share of shares) sums.push((sums.at(-1) ?? 0) + Math.min(mostShare, share) * stepS);
  const lengthS = shares.length * stepS;
  const whole = sums.at(-1) ?? 0;
  const until = (second: number): number => {
    const turns = Math.floor(second / lengthS);
    const place = (second - turns * lengthS) / stepS;
    const step = Math.min(shares.length - 1, Math.floor(place));
    const before = sums[step] ?? 0;
    return turns * whole + before + (place - step) * ((sums[step + 1] ?? before) - before);
  };
  return { lengthS, share: (fromS, toS) => (until(toS) - until(fromS)) / (toS - fromS) };
}

/** The recorded trace with `times` its theft. */
export function recordedTheft(times = 1): StolenCpu {
  const text = readFileSync(path.join(import.meta.dirname, '..', 'fixtures', 'stolenCpu.txt'), 'utf8');
  const numbers = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => line.split(' ').map(Number));
  return stolenCpu(numbers.map((thousandths) => (times * thousandths) / 1000));
}
