import type { AdviceReason } from '../../model/domain/advice.ts';
import type { DiagnosisKind } from '../../model/domain/diagnosisKind.ts';
import type { Trial } from '../../model/domain/run.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { type Knob, knobsOf } from '../diagnose/knobs.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { type PlanNode, nodesOf } from './planIdeas.ts';

/** What is known before anything is tried. */
export interface AdviceFacts {
  declared: DeclaredTarget;
  /** Every declared setting as it is. */
  settings: SettingValues;
  trial: Pick<Trial, 'diagnosis'>;
  /** Of its heaviest statements; none without PostgreSQL. */
  plans: readonly PlanNode[];
}

/** Changes that may help, by what limits. A new rule is one value of this in the table. */
export interface AdviceRule {
  reason: AdviceReason;
  /** Of these it is likely to help, and is tried before what is likely of others. */
  limits: readonly DiagnosisKind[];
  /** Each is one change; what is so already is left out afterwards. */
  proposes: (facts: AdviceFacts) => SettingValues[];
}

/** Beyond this the planner’s estimate makes PostgreSQL compile expressions (jit_above_cost). */
const jitAboveCost = 100_000;

/** Of a number of which nobody knows what it does, values far from the present one show whether it does anything. */
const manyTimes = 8;

/** In the order in which they are tried where more is found than the time allows. */
export const adviceRules: readonly AdviceRule[] = [
  {
    reason: 'verdict',
    limits: [],
    proposes: ({ trial }) =>
      (trial.diagnosis?.actions ?? []).flatMap((action): SettingValues[] => {
        if (action.kind === 'set') return [{ [action.setting]: action.value }];
        if (action.kind === 'instances') return [{ instances: action.instances }];
        return action.kind === 'tune' ? action.values.map((value) => ({ [action.setting]: value })) : [];
      }),
  },
  {
    reason: 'pool',
    limits: ['pool-limited', 'pool-exhausted', 'oversubscribed', 'database-lock'],
    proposes: ({ declared, settings }) => {
      const { pool } = knobsOf(declared.target.settings, settings);
      return typeof pool?.value === 'number' ? sizes(pool, [2 * pool.value, Math.floor(pool.value / 2), 4 * pool.value]) : [];
    },
  },
  {
    reason: 'work-mem',
    limits: ['database-cpu', 'database-io'],
    proposes: ({ plans }) => (has(plans, /Sort|Hash|Aggregate|Material/) ? [{ 'postgres.work_mem': '64MB' }] : []),
  },
  {
    reason: 'random-pages',
    limits: ['database-cpu', 'database-io'],
    proposes: ({ plans }) => (has(plans, /Seq Scan/) ? [{ 'postgres.random_page_cost': '1.1' }] : []),
  },
  {
    reason: 'jit',
    limits: ['database-cpu'],
    proposes: ({ plans }) => (plans.some((plan) => plan['Total Cost'] > jitAboveCost) ? [{ 'postgres.jit': 'off' }] : []),
  },
  {
    reason: 'heap',
    limits: ['gc'],
    proposes: ({ declared, settings }) => {
      const { heapMb } = knobsOf(declared.target.settings, settings);
      if (typeof heapMb?.value === 'number') return sizes(heapMb, [2 * heapMb.value, Math.floor(heapMb.value / 2)]);
      return declared.target.runtime === 'jvm' ? [{ 'jvm.heap': '1024m' }] : [{ 'node.heap': '1024m' }];
    },
  },
  {
    reason: 'collector',
    limits: ['gc', 'one-core', 'cpu'],
    proposes: () => [{ 'jvm.gc': 'Parallel' }, { 'jvm.gc': 'G1' }],
  },
  { reason: 'young-space', limits: ['gc', 'event-loop', 'one-core', 'cpu'], proposes: () => [{ 'node.semi-space': '64' }] },
  { reason: 'worker-threads', limits: ['thread-pool', 'unknown-wait', 'event-loop'], proposes: () => [{ 'uv.threads': '16' }] },
  {
    reason: 'choice',
    limits: [],
    proposes: ({ declared }) =>
      Object.entries(declared.target.settings).flatMap(([name, spec]) =>
        spec.kind === 'choice' ? spec.choices.slice(0, 3).map((choice) => ({ [name]: choice })) : [],
      ),
  },
  {
    reason: 'number',
    limits: [],
    proposes: ({ declared, settings }) => {
      const { pool, heapMb } = knobsOf(declared.target.settings, settings);
      return Object.entries(declared.target.settings).flatMap(([name, spec]) => {
        const value = settings[name];
        // A longer time-out helps nobody, and the others have rules of their own.
        if (spec.kind === 'choice' || typeof value !== 'number' || spec.unit === 'ms' || name === pool?.name || name === heapMb?.name)
          return [];
        const { min, max } = spec;
        return [manyTimes * value, Math.floor(value / manyTimes)]
          .map((wanted) => Math.max(min, Math.min(max, wanted)))
          .map((wanted) => ({ [name]: wanted }));
      });
    },
  },
];

function sizes({ name, min, max }: Knob, wanted: readonly number[]): SettingValues[] {
  return wanted.filter((size) => size >= (min ?? 1) && size <= (max ?? size)).map((size) => ({ [name]: size }));
}

function has(plans: readonly PlanNode[], type: RegExp): boolean {
  return plans.some((plan) => nodesOf(plan).some((node) => type.test(node['Node Type'])));
}

/**
 * What is tried of settings, the likeliest first: what the verdict proposes, what is likely of what limits, then the rest in the order of the table. Each once,
 * and none that is so already.
 */
export function proposed(facts: AdviceFacts): { settings: SettingValues; reason: AdviceReason }[] {
  const kind = facts.trial.diagnosis?.kind;
  const rank = ({ reason, limits }: AdviceRule): number => (reason === 'verdict' ? 0 : kind !== undefined && limits.includes(kind) ? 1 : 2);
  const all = adviceRules
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((rule) => rule.proposes(facts).map((settings) => ({ settings, reason: rule.reason })));
  const once = new Map<string, { settings: SettingValues; reason: AdviceReason }>();
  for (const one of all) {
    const id = changeId(one.settings);
    if (!once.has(id) && Object.entries(one.settings).some(([name, value]) => String(facts.settings[name]) !== String(value)))
      once.set(id, one);
  }
  return [...once.values()];
}

/** “pool=8”. */
export function changeId(settings: SettingValues): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}
