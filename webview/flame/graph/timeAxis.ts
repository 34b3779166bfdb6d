export interface TimeTick {
  atUs: number;
  text: string;
}

const units = [
  { us: 60_000_000, name: 'min' },
  { us: 1_000_000, name: 's' },
  { us: 1_000, name: 'ms' },
  { us: 1, name: 'µs' },
] as const;

/** Ticks at round times, at most `most` of them, all in the unit that suits the span. */
export function timeTicks(fromUs: number, toUs: number, most: number): TimeTick[] {
  const span = toUs - fromUs;
  if (!(span > 0) || most < 1) return [];
  const unit = units.find(({ us }) => span >= 2 * us) ?? units[units.length - 1]!;
  const step = roundStep(span / most / unit.us) * unit.us;
  const digits = Math.max(0, -Math.floor(Math.log10(step / unit.us) + 1e-9));
  const ticks: TimeTick[] = [];
  for (let index = Math.ceil(fromUs / step - 1e-9); index * step <= toUs + step * 1e-9; index++) {
    ticks.push({ atUs: index * step, text: `${((index * step) / unit.us).toFixed(digits)} ${unit.name}` });
  }
  return ticks;
}

/** The next of 1, 2, 5, 10 … that is not smaller. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * (1 - 1e-9)) ?? 10 * power;
}
