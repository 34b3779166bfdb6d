import { describe, expect, it } from 'vitest';
import { appliedBy } from '../../../src/engine/advise/applied.ts';
import { bestOfEach, goesOn, groupsOf } from '../../../src/engine/advise/halving.ts';
import { type AdviceFacts, adviceRules, changeId, proposed } from '../../../src/engine/advise/rules.ts';
import { mergedSettings } from '../../../src/engine/advise/sideSettings.ts';
import { type Tried, findingOf, isUseful, savingsOf } from '../../../src/model/domain/advice.ts';
import type { Diagnosis } from '../../../src/model/domain/diagnosis.ts';
import type { DiagnosisKind } from '../../../src/model/domain/diagnosisKind.ts';
import type { Verdict } from '../../../src/model/domain/tuning.ts';
import type { NextAction } from '../../../src/model/domain/verdict/nextActions.ts';
import { declared } from '../../support/declaredTarget.ts';

const node = declared('node', {
  runtime: 'node',
  settings: {
    pool: { default: 2, max: 20, env: 'POOL' },
    prepared: { kind: 'choice', choices: ['yes', 'no'], default: 'yes', env: 'PREPARED' },
  },
});

function facts(kind: DiagnosisKind, actions: NextAction[] = []): AdviceFacts {
  const diagnosis = {
    kind,
    confident: true,
    said: { code: 'recorded', sentence: '' },
    why: [],
    evidence: [],
    ruledOut: [],
    actions,
    threadDumps: [],
  } satisfies Diagnosis;
  return { declared: node, settings: { pool: 2, prepared: 'yes' }, trial: { diagnosis }, plans: [] };
}

const ids = (found: readonly { settings: Record<string, string | number> }[]): string[] => found.map(({ settings }) => changeId(settings));

function tried(name: string, mean: number | null, more: Partial<Tried> = {}): Tried {
  return {
    id: name,
    settings: { [name]: 1 },
    reason: 'pool',
    statement: null,
    index: null,
    apply: [],
    stage: 'screened',
    verdict: 'unknown',
    ratio: mean === null ? null : { mean, ciLow: mean - 0.1, ciHigh: mean + 0.1 },
    costs: [],
    walBytes: null,
    statementMs: null,
    answersDiffer: false,
    run: 'aaaaaa-000000000000000000000000',
    ...more,
  };
}

describe('what is tried', () => {
  it('has values far from that of a number that is declared, within its range, and none of a time-out', () => {
    const own = declared('own', {
      runtime: 'node',
      settings: {
        fetchSize: { min: 2, max: 60, default: 10, env: 'FETCH' },
        timeoutMs: { min: 1, max: 9000, default: 500, unit: 'ms', env: 'TIMEOUT' },
      },
    });
    const found = ids(proposed({ ...facts('cpu'), declared: own, settings: { fetchSize: 10, timeoutMs: 500 } }));
    expect(found.filter((id) => /fetchSize|timeoutMs/.test(id))).toEqual(['fetchSize=60', 'fetchSize=2']);
  });

  it('begins with what the verdict proposes, then with what is likely of what limits', () => {
    const found = ids(
      proposed(facts('pool-limited', [{ kind: 'set', label: { code: 'use-better', value: 6 }, setting: 'pool', value: 6 }])),
    );
    expect(found.slice(0, 4)).toEqual(['pool=6', 'pool=4', 'pool=1', 'pool=8']);
    expect(ids(proposed(facts('gc')))[0]).toMatch(/heap|jvm|node/);
  });

  it('is nothing that is so already, and nothing twice', () => {
    const found = ids(
      proposed(
        facts('pool-limited', [
          { kind: 'tune', label: { code: 'compare-sizes', name: 'pool', values: [2, 4] }, setting: 'pool', values: [2, 4] },
        ]),
      ),
    );
    expect(found).not.toContain('pool=2');
    expect(found).not.toContain('prepared=yes');
    expect(found).toContain('prepared=no');
    expect(new Set(found).size).toBe(found.length);
  });

  it('follows rules that are told apart by their reasons', () => {
    expect(new Set(adviceRules.map(({ reason }) => reason)).size).toBe(adviceRules.length);
  });

  it('says how a person has it', () => {
    expect(appliedBy(node, 'pool', 8)[0]).toMatchObject({ where: 'environment', text: expect.stringMatching(/^\w*POOL\w*=8$/) as string });
    expect(appliedBy(node, 'node.semi-space', '64')).toEqual([
      { where: 'environment', text: 'NODE_OPTIONS="--max-semi-space-size=64"' },
      {
        where: 'benchside.json',
        text: '"env": { "NODE_OPTIONS": "--max-semi-space-size=64" }',
        variable: { name: 'NODE_OPTIONS', value: '--max-semi-space-size=64', appends: true },
      },
    ]);
    expect(appliedBy(node, 'postgres.work_mem', '64MB')).toEqual([
      { where: 'sql', text: "ALTER ROLE CURRENT_USER SET work_mem TO '64MB';" },
    ]);
  });
});

describe('a value of the catalogue', () => {
  const heapOf = (...command: string[]) =>
    appliedBy({ ...node, target: { ...node.target, runtime: 'jvm', command, env: {}, settings: {} } }, 'jvm.heap', '256m');

  it('can be written into benchside.json as a variable', () => {
    expect(heapOf('java', '-jar', 'shop.jar').flatMap(({ variable }) => variable ?? [])).toEqual([
      { name: 'JAVA_TOOL_OPTIONS', value: '-Xmx256m', appends: true },
    ]);
  });
  it('cannot where the command says otherwise, which would win', () => {
    const lines = heapOf('java', '-Xmx512m', '-jar', 'shop.jar');
    expect(lines).toEqual([{ where: 'command line', text: '-Xmx256m' }]);
  });
});

describe('the screening', () => {
  it('lets go on what is ahead, the furthest of each setting first, and of one no more than two values', () => {
    const pool = (value: number, mean: number): Tried => tried(`pool=${value}`, mean, { settings: { pool: value } });
    const all = [
      tried('a', 1.3),
      tried('b', 0.99),
      tried('c', 2, { verdict: 'same' }),
      tried('d', 1.2, { answersDiffer: true }),
      tried('e', null),
      pool(4, 1.5),
      pool(8, 1.6),
      pool(16, 1.4),
    ];
    expect(goesOn(all, 2).map(({ id }) => id)).toEqual(['pool=8', 'a']);
    expect(goesOn(all).map(({ id }) => id)).toEqual(['pool=8', 'a', 'pool=4']);
  });

  it('lets what is proven to be ahead go first, then an index whose statement takes less than half, then what is ahead by its mean', () => {
    const all = [
      tried('a', 1.3),
      tried('b', 1.2, { verdict: 'better' }),
      tried('c', 1, { statementMs: [12, 1.5] }),
      tried('d', 1, { statementMs: [12, 11] }),
    ];
    expect(goesOn(all).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
  });

  it('gives places that are left to what may be the same for less', () => {
    const cost = (id: 'cpu' | 'memory' | 'connections', share: number, verdict: Verdict | null) => ({
      id,
      base: 100,
      other: 100 * share,
      verdict,
    });
    const cheaper = (name: string, mean: number, more: Partial<Tried> = {}): Tried =>
      tried(name, mean, { costs: [cost('connections', 0.5, 'better')], ratio: { mean, ciLow: 0.9 * mean, ciHigh: 1.1 * mean }, ...more });
    const all = [
      tried('ahead', 1.3),
      cheaper('fewer', 0.99),
      cheaper('less memory', 0.97, { costs: [cost('memory', 0.6, null)] }),
      cheaper('third', 0.96),
      cheaper('hardly less', 1, { costs: [cost('memory', 0.95, null)] }),
      cheaper('by chance', 1, { costs: [cost('cpu', 0.8, 'unknown')] }),
      cheaper('behind', 0.8),
      cheaper('slower', 0.97, { verdict: 'worse' }),
      cheaper('dearer', 1, { costs: [cost('connections', 0.5, 'better'), cost('cpu', 1.4, 'worse')] }),
      cheaper('otherwise', 1, { answersDiffer: true }),
    ];
    expect(goesOn(all).map(({ id }) => id)).toEqual(['ahead', 'fewer', 'less memory']);
    expect(goesOn(all, 2).map(({ id }) => id)).toEqual(['ahead', 'fewer']);
  });

  it('takes the best of each subject for what is measured together, one index of a table for each statement', () => {
    const index = (table: string, mean: number, statement = 's'): Tried =>
      tried(`index ${table} ${mean}`, mean, {
        index: { table, columns: [], bytes: 0, buildMs: 0 },
        settings: { sql: `${mean}.sql` },
        statement,
      });
    expect(bestOfEach([index('a', 1.2), index('a', 1.4), index('a', 1.1, 't'), index('b', 1.3)]).map(({ id }) => id)).toEqual([
      'index a 1.4',
      'index b 1.3',
      'index a 1.1',
    ]);
  });

  it('cuts what is tried into as few groups as the machine bears', () => {
    expect(groupsOf([1, 2, 3, 4, 5], 3).map((group) => group.length)).toEqual([3, 2]);
    expect(groupsOf([1, 2, 3], 7)).toEqual([[1, 2, 3]]);
    expect(groupsOf([], 7)).toEqual([]);
  });

  it('is no proof: only what was measured, is better and answers the same is useful', () => {
    expect(isUseful(tried('a', 3, { verdict: 'better' }))).toBe(false);
    expect(isUseful(tried('a', 3, { verdict: 'better', stage: 'measured' }))).toBe(true);
    expect(isUseful(tried('a', 3, { verdict: 'better', stage: 'measured', answersDiffer: true }))).toBe(false);
    expect(isUseful(tried('a', 3, { stage: 'measured' }))).toBe(false);
  });
});

describe('a change that is the same for less', () => {
  const cost = (id: 'p99' | 'cpu' | 'memory' | 'connections' | 'start-up', verdict: Verdict | null) => ({
    id,
    base: 10,
    other: 4,
    verdict,
  });
  const found = (more: Partial<Tried>) =>
    findingOf(tried('a', 1, { stage: 'measured', verdict: 'same', costs: [cost('connections', 'better')], ...more }));

  it('was measured, is the same by its interval, and needs less by an interval or a count', () => {
    expect(found({})).toBe('cheaper');
    expect(found({ costs: [cost('memory', 'better'), cost('cpu', 'unknown')] })).toBe('cheaper');
    expect(found({ verdict: 'unknown' })).toBe('nothing');
    expect(found({ stage: 'screened' })).toBe('nothing');
    expect(found({ answersDiffer: true })).toBe('nothing');
    expect(found({ costs: [cost('memory', null), cost('cpu', 'unknown'), cost('connections', 'same')] })).toBe('nothing');
  });

  it('needs more of nothing', () => {
    expect(found({ costs: [cost('connections', 'better'), cost('p99', 'worse')] })).toBe('nothing');
    expect(found({ index: { table: 'a', columns: [], bytes: 1, buildMs: 1 } })).toBe('nothing');
  });

  it('is not what starts sooner alone, and what helps is not called cheaper', () => {
    expect(found({ costs: [cost('start-up', 'better')] })).toBe('nothing');
    expect(found({ verdict: 'better' })).toBe('helps');
    expect(found({ verdict: 'worse' })).toBe('slower');
    expect(savingsOf({ costs: [cost('p99', 'better'), cost('cpu', 'better'), cost('memory', null)] }).map(({ id }) => id)).toEqual(['cpu']);
  });
});

describe('sides of a comparison of changes', () => {
  it('begin with what is, and each has a copy of the database where one has', () => {
    expect(mergedSettings({ pool: 1 }, [{ pool: 4 }, { sql: 'a.sql' }])).toEqual({
      sides: [
        { pool: 1, sql: 'none' },
        { pool: 4, sql: 'none' },
        { pool: 1, sql: 'a.sql' },
      ],
      settings: { pool: [1, 4], sql: ['none', 'a.sql'] },
    });
    expect(mergedSettings({}, [{ pool: 4 }]).sides).toEqual([{}, { pool: 4 }]);
  });
});
