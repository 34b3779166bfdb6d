import type { EventHead } from '../../calltree/callTreeBuilder.ts';

const units = new Map<string, { unit: EventHead['unit']; factor: number }>([
  ['nanoseconds', { unit: 'ns', factor: 1 }],
  ['ns', { unit: 'ns', factor: 1 }],
  ['microseconds', { unit: 'ns', factor: 1e3 }],
  ['milliseconds', { unit: 'ns', factor: 1e6 }],
  ['seconds', { unit: 'ns', factor: 1e9 }],
  ['bytes', { unit: 'bytes', factor: 1 }],
  ['kilobytes', { unit: 'bytes', factor: 1024 }],
  ['megabytes', { unit: 'bytes', factor: 1024 ** 2 }],
]);

/** Our unit for a unit of pprof, OTLP or speedscope, and the factor; what is not known is counted. */
export function unitOf(name: string): { unit: EventHead['unit']; factor: number } {
  return units.get(name) ?? { unit: 'count', factor: 1 };
}
