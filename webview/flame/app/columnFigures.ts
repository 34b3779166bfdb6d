import type { Layout, LayoutDiff } from '../core/layout.ts';
import { percentFigure } from '../graph/weightFormat.ts';

/** Every unit a figure can have: that of the event, or that of a comparison. */
export type WeightUnit = LayoutDiff['unit'];

export function unitOf(layout: Layout): WeightUnit {
  return layout.diff?.unit ?? layout.unit;
}

/** A column of figures in one unit: what a weight is divided by, and the unit's name for the head. */
export interface ColumnUnit {
  divisor: number;
  unit: string;
}

const sizes: Readonly<Record<string, number>> = { GiB: 2 ** 30, MiB: 2 ** 20, KiB: 2 ** 10, B: 1 };
const times: Readonly<Record<string, number>> = { s: 1e9, ms: 1e6, µs: 1e3 };

/** The unit in which weights up to `largest` are best written below each other. */
export function columnUnit(unit: WeightUnit, largest: number): ColumnUnit {
  if (unit === 'share') return { divisor: 0.01, unit: '%' };
  const [base, per] = unit.split('/');
  const suffix = per === undefined ? '' : '/req';
  if (base === 'count') return { divisor: 1, unit: per === undefined ? 'count' : 'per req' };
  const steps = Object.entries(base === 'bytes' ? sizes : times);
  // A tenth of the unit still reads well: 0.31 ms rather than 310 µs, and no figure of more than four digits.
  const [name, divisor] = steps.find(([, size]) => largest >= size * (size === 1e9 ? 10 : 0.1)) ?? steps.at(-1) ?? ['', 1];
  return { divisor, unit: `${name}${suffix}` };
}

/** A figure of such a column, with as many decimals as its largest needs, so that the digits are aligned; a share as it is everywhere. */
export function columnFigure(value: number, { divisor, unit }: ColumnUnit, largest: number): string {
  const top = Math.abs(largest) / divisor;
  const shown = value / divisor;
  const decimals = top >= 1000 ? 0 : top >= 100 ? 1 : top >= 1 ? 2 : 3;
  const text = unit === '%' ? percentFigure(Math.abs(shown)) : Math.abs(shown).toFixed(decimals);
  const grouped = text.replace(/\B(?=(\d{3})+(?=\.|$))/g, ',');
  return `${shown < 0 && Number(text) !== 0 ? '−' : ''}${grouped}`;
}

/** A change with its sign; what rounds to nothing is "0". */
export function changeFigure(value: number, unit: ColumnUnit, largest: number): string {
  const text = columnFigure(Math.abs(value), unit, largest);
  return Number(text.replaceAll(',', '')) === 0 ? '0' : `${value < 0 ? '−' : '+'}${text}`;
}
