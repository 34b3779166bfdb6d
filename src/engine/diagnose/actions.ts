import type { ActionLabel, NextAction } from '../../model/domain/verdict/nextActions.ts';
import { type StatementMeasure, type StatementUse, heaviestStatement } from '../../model/domain/statement.ts';
import { type Runtime, isProbed } from '../../model/domain/runtimes.ts';
import type { Knob } from './knobs.ts';
import { roundedUp } from './sizes.ts';

export function advice(label: ActionLabel): NextAction {
  return { kind: 'advice', label };
}

export function record(event: Extract<NextAction, { kind: 'record' }>['event'], label: ActionLabel): NextAction {
  return { kind: 'record', event, label };
}

/** Without what cannot be done there: only Java and Node processes can be recorded. */
export function possible(actions: readonly NextAction[], runtime: Runtime): NextAction[] {
  if (isProbed(runtime) || actions.every(({ kind }) => kind !== 'record')) return [...actions];
  const rest = actions.filter(({ kind }) => kind !== 'record');
  return [...rest, advice({ code: 'other-profiler' })];
}

/** Opens the statements with their plans, and names the one that has most of what limits; without any, `otherwise` says what to look at. */
export function openSql(statements: readonly StatementUse[], wanted: StatementMeasure, otherwise: ActionLabel): NextAction {
  const most = heaviestStatement(statements, wanted);
  if (most === null) return advice(otherwise);
  return { kind: 'sql', label: { code: 'open-sql', share: most.share, by: most.by, sql: most.statement.sql } };
}

export function moreConnections(connections: number): NextAction {
  return { kind: 'connections', label: { code: 'twice-the-load', connections }, connections };
}

/** More than our own generator can put on. */
export const otherGenerator: NextAction = { kind: 'generator', label: { code: 'other-generator', processes: 2 }, processes: 2 };

export function oneMoreInstance(now: number): NextAction {
  const instances = now + 1;
  return { kind: 'instances', label: { code: 'one-more-instance', instances }, instances };
}

/** Who waits for a connection of a pool. */
export const whoWaits = record('pool-wait', { code: 'who-waits' });

/** A setting that is a size. */
type SizeKnob = Knob & { value: number };

function isSize(knob: Knob | null): knob is SizeKnob {
  return typeof knob?.value === 'number';
}

/** Kept within the setting’s range. */
function within({ min, max }: Knob, size: number): number {
  return Math.min(Math.max(size, min ?? 1), max ?? size);
}

/** Of what all processes need together, the part of each. */
function each(all: number, processes: number): number {
  return Math.ceil(all / Math.max(1, processes));
}

function set(knob: SizeKnob, value: number, processes: number): NextAction {
  return { kind: 'set', label: { code: 'resize', name: knob.label, from: knob.value, to: value, processes }, setting: knob.name, value };
}

/**
 * Raises a size to `needed`, and by one at least, rounded up to a usual size and kept within the setting’s range; to twice as much where it is not known what
 * is needed. Nothing where the target has no such setting, or where it is there already. `needed` is of all processes together, and the setting of one of
 * `processes`.
 */
export function raise(knob: Knob | null, needed: number | null, processes = 1): NextAction[] {
  if (!isSize(knob)) return [];
  const value = within(knob, roundedUp(needed === null ? knob.value * 2 : Math.max(each(needed, processes), knob.value + 1)));
  return value <= knob.value ? [] : [set(knob, value, processes)];
}

/** Lowers a size to `wanted` of all processes together, within the setting’s range. */
export function lower(knob: Knob | null, wanted: number, processes = 1): NextAction[] {
  if (!isSize(knob)) return [];
  const value = within(knob, each(wanted, processes));
  return value >= knob.value ? [] : [set(knob, value, processes)];
}

/** Compares sizes, as far as they are in the setting’s range and differ. */
function tune(knob: SizeKnob, code: 'smallest-enough' | 'compare-sizes', sizes: readonly number[]): NextAction[] {
  const values = [...new Set(sizes.map((size) => within(knob, size)))].sort((a, b) => a - b);
  return values.length < 2 ? [] : [{ kind: 'tune', label: { code, name: knob.label, values }, setting: knob.name, values }];
}

/** Finds a size by experiment: what it is now, half and twice of what is proposed, and the proposal. */
export function tuneAround(knob: Knob | null, needed: number | null, processes = 1): NextAction[] {
  if (!isSize(knob)) return [];
  const proposed = roundedUp(needed === null ? knob.value * 2 : each(needed, processes));
  return tune(knob, 'smallest-enough', [knob.value, roundedUp(proposed / 2), proposed, 2 * proposed]);
}

/** Compares a size with what should be enough, and with four times that. */
export function tuneDown(knob: Knob | null, enough: number): NextAction[] {
  return isSize(knob) ? tune(knob, 'compare-sizes', [enough, 4 * enough, knob.value]) : [];
}

export function choose(knob: Knob | null, value: string, label: ActionLabel): NextAction[] {
  return knob === null || knob.value === value ? [] : [{ kind: 'set', label, setting: knob.name, value }];
}
