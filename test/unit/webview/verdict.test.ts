import { describe, expect, it } from 'vitest';
import type { Diagnosis } from '../../../src/model/domain/diagnosis.ts';
import { diagnosisKindSchema, isLimit, limitNames } from '../../../src/model/domain/diagnosisKind.ts';
import type { Trial } from '../../../src/model/domain/run.ts';
import { chooseVerdicts } from '../../../webview/verdict/chooseVerdicts.ts';
import { measures } from '../../../webview/verdict/verdictBody.ts';
import { exampleTrial } from '../../support/runRecords.ts';
import { exampleDiagnosis } from '../../support/experimentRecords.ts';

function trial(pool: number, p99Ms: number, diagnosis: Diagnosis | null, target: 'java' | 'node' = 'java'): Trial {
  return { ...exampleTrial({ target, settings: { pool }, p99Ms }), diagnosis };
}
const sure = exampleDiagnosis();
const doubtful = exampleDiagnosis({ confident: false });
const healthy = exampleDiagnosis({ kind: 'healthy' });
const invalid = exampleDiagnosis({ kind: 'invalid' });

describe('which verdict is shown', () => {
  it('is that on the recommended trial of each target', () => {
    const all = [trial(2, 40, sure), trial(8, 9, healthy), trial(2, 6, healthy, 'node')];
    const { first, others } = chooseVerdicts(all, new Set([all[1]?.key ?? '']));
    expect(first).toEqual([all[1], all[2]]);
    expect(others).toEqual([all[0]]);
  });
  it('is that on the worst trial where none is recommended: sure before doubtful, limited before healthy, slow before fast', () => {
    const none = new Set<string>();
    const worst = (...all: Trial[]): Trial | undefined => chooseVerdicts(all, none).first[0];
    const [a, b, c, d, e] = [trial(1, 99, invalid), trial(2, 50, healthy), trial(4, 40, doubtful), trial(8, 10, sure), trial(16, 20, sure)];
    expect(worst(a, b, c, d, e)).toBe(e);
    expect(worst(a, b, c, d)).toBe(d);
    expect(worst(a, b, c)).toBe(c);
    expect(worst(a, b)).toBe(b);
    expect(worst(a)).toBe(a);
  });
  it('is none where nothing is known', () => {
    expect(chooseVerdicts([trial(2, 40, null)], new Set())).toEqual({ first: [], others: [] });
  });
  it('takes what is known where nothing is known of the recommended trial', () => {
    const all = [trial(2, 40, null), trial(4, 30, sure)];
    expect(chooseVerdicts(all, new Set([all[0]?.key ?? ''])).first).toEqual([all[1]]);
  });
});

describe('the words of verdicts', () => {
  it('name every kind, each differently', () => {
    const names = diagnosisKindSchema.options.map((kind) => limitNames[kind]);
    expect(new Set(names).size).toBe(diagnosisKindSchema.options.length);
    expect(diagnosisKindSchema.options.filter((kind) => !isLimit(kind))).toEqual(['invalid', 'healthy', 'busy-machine']);
  });
  it('tell which actions need the machine to be free', () => {
    expect(exampleDiagnosis().actions.map(measures)).toEqual([true, true, true, false]);
    expect(measures({ kind: 'connections', label: { code: 'twice-the-load', connections: 64 }, connections: 64 })).toBe(false);
  });
});
