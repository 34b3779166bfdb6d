import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FailureError, failure, failureSchema, toFailure } from '../../../src/model/domain/failure.ts';
import { type FailureCode, failureActions, failureKinds, isUsage } from '../../../src/model/domain/failureCodes.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const table = path.join('src', 'model', 'failureCodes.ts');
const codes = Object.keys(failureKinds) as FailureCode[];

function sources(): string[] {
  return ['src', 'webview']
    .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)))
    .filter((file) => file.endsWith('.ts') && file !== table)
    .map((file) => readFileSync(path.join(root, file), 'utf8'));
}

describe('the table of failures', () => {
  // That each code in use is in the table is checked by the compiler; it cannot see what nobody uses any more.
  it('has no code that nothing fails with', () => {
    const text = sources().join('\n');
    expect(codes.length).toBeGreaterThan(150);
    expect(codes.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
  });

  it('offers benchside.json where that is what is to be corrected, not where a value was typed in a form', () => {
    expect(failureActions('workspace-file')).toEqual(['open-workspace-file']);
    expect(failureActions('cwd-missing')).toEqual(['open-workspace-file']);
    expect(failureActions('setting-value')).toEqual([]);
    expect(failureActions('target-busy')).toEqual([]);
  });

  it('offers space on a full disk, the file and its output of what ended, and another where one is gone', () => {
    expect(failureActions('disk-full')).toEqual(['free-space']);
    expect(failureActions('target-exited')).toEqual(['open-workspace-file', 'show-output']);
    expect(failureActions('run-not-found')).toEqual(['choose-run']);
    expect(failureActions('not-node')).toEqual(['choose-process']);
  });

  it('tells wrong usage from what failed', () => {
    for (const code of [
      'usage',
      'bad-request',
      'target-unknown',
      'setting-unknown',
      'setting-value',
      'unknown-load-profile',
      'unknown-route',
      'experiment-unknown',
    ] as const)
      expect(isUsage(code), code).toBe(true);
    for (const code of ['internal', 'cancelled', 'target-exited', 'disk-full', 'run-not-found', 'workspace-file'] as const)
      expect(isUsage(code), code).toBe(false);
  });
});

describe('a failure', () => {
  it('has the cure of its code where none is given', () => {
    expect(failure('cancelled', 'Cancelled.').failure).toEqual({
      code: 'cancelled',
      message: 'Cancelled.',
      cure: failureKinds.cancelled.cure,
    });
    expect(failure('clinic-no-data', 'It cannot be read.', undefined, 'EACCES').failure).toMatchObject({
      cure: failureKinds['clinic-no-data'].cure,
      detail: 'EACCES',
    });
    expect(failure('cancelled', 'Closing.', 'Open it again.').failure.cure).toBe('Open it again.');
    expect(toFailure(new Error('no')).cure).toBe(failureKinds.internal.cure);
  });

  it('of another version keeps its words, and its code means nothing', () => {
    const stored = { code: 'moon-too-bright', message: 'The moon is too bright.', cure: 'Wait.' };
    expect(failureSchema.parse(stored)).toEqual({ ...stored, code: 'internal' });
    expect(failureSchema.parse({ ...stored, code: 'disk-full' })).toEqual({ ...stored, code: 'disk-full' });
    expect(failureSchema.safeParse({ ...stored, code: 7 }).success).toBe(false);
    expect(failureSchema.parse(new FailureError({ ...stored, code: 'toString' as FailureCode }).failure).code).toBe('internal');
  });
});
