import { describe, expect, it } from 'vitest';
import { parse } from 'jsonc-parser';
import { emptyForm } from '../../../../src/model/presentation/emptyForm.ts';
import { assignmentText, valuesPhrase } from '../../../../src/extension/applied/answerText.ts';
import { applicableValues, prefilled, readAppliedValues } from '../../../../src/extension/form/appliedValues.ts';
import { findDefault } from '../../../../src/extension/kit/placesInFile.ts';
import { workspaceTemplate } from '../../../../src/extension/targets/workspaceTemplate.ts';
import type { SettingSpecs } from '../../../../src/model/domain/setting.ts';

const settings: SettingSpecs = {
  pool: { kind: 'number', label: 'Pool size', default: 8, min: 1, max: 64, env: 'DB_POOL_SIZE' },
  threads: { kind: 'number', label: 'JVM threads', default: 50, min: 1, max: 500, arguments: ['--threads', '{value}'] },
  kind: { kind: 'choice', choices: ['platform', 'virtual'], default: 'platform', env: 'KIND' },
};

describe('values that are applied to a target', () => {
  it('are those it takes: what it no longer declares or allows is left out', () => {
    expect(applicableValues({ pool: 8, threads: 900, kind: 'green', instances: 4 }, settings)).toEqual({ pool: 8 });
    expect(applicableValues({ constructor: 1, pool: '8', kind: 'virtual' }, settings)).toEqual({ kind: 'virtual' });
  });

  it('are read back from storage, whatever is found there', () => {
    expect(readAppliedValues({ java: { pool: 8, x: null, y: 1.5, z: '' }, node: 'no', empty: {}, list: [1] })).toEqual({
      java: { pool: 8 },
    });
    for (const nothing of [undefined, null, 7, 'x', []]) expect(readAppliedValues(nothing)).toEqual({});
  });

  it('are said as a person says them', () => {
    expect(valuesPhrase({ pool: 8 }, settings)).toBe('pool size 8');
    expect(valuesPhrase({ pool: 8, threads: 50, kind: 'virtual' }, settings)).toBe('pool size 8, JVM threads 50 and kind virtual');
  });

  it('are copied in the form in which the app reads them', () => {
    const [pool, threads] = [settings['pool'], settings['threads']];
    if (pool === undefined || threads === undefined) throw new Error('no settings');
    expect(assignmentText(pool, 16)).toBe('DB_POOL_SIZE=16');
    expect(assignmentText(threads, 100)).toBe('--threads 100');
  });
});

describe('the form after values were applied', () => {
  const form = { ...emptyForm, targets: ['java'], values: { pool: '2..64', threads: '', kind: 'platform' } };

  it('begins with them, but for a field that holds several values', () => {
    expect(prefilled(form, 'java', { pool: 8, threads: 20, kind: 'virtual' }).values).toEqual({
      pool: '2..64',
      threads: '20',
      kind: 'virtual',
    });
    expect(prefilled({ ...form, values: { pool: '4, 8' } }, 'java', { pool: 8 }).values).toEqual({ pool: '4, 8' });
    expect(prefilled({ ...form, values: {} }, 'java', { pool: 8 }).values).toEqual({ pool: '8' });
  });

  it('stays as it is when it is about other targets too', () => {
    const several = { ...form, targets: ['java', 'node'] };
    expect(prefilled(several, 'java', { threads: 20 })).toEqual(several);
    expect(prefilled(form, 'node', { threads: 20 })).toEqual(form);
  });
});

describe('the default of a setting in benchside.json', () => {
  const written = (text: string, value: string, target = 'my-service', setting = 'pool'): string | null => {
    const span = findDefault(text, target, setting);
    return span === null ? null : text.slice(0, span.start) + value + text.slice(span.end);
  };

  it('is found in the example file, and only it changes', () => {
    const text = workspaceTemplate();
    const changed = written(text, '16');
    expect(changed).toBe(text.replace('"default": 8', '"default": 16'));
  });

  it('is that of the target and the setting that are meant, with comments, commas and look-alikes around it', () => {
    const text = `{ // "targets": []
      "loadProfiles": [{ "name": "a", "targets": 1 }],
      "targets": [
        { "id": "other", "settings": { "pool": { "default": 1 } } },
        /* { "id": "mine", "settings": { "pool": { "default": 2 } } }, */
        { "label": "\\"id\\": \\"mine\\" }", "settings": { "size": { "default": 3, }, "pool": { "env": "X//Y", "default" : 4 , "max": 9 } }, "id": "mine", },
      ],
    }`;
    const changed = parse(written(text, '5', 'mine') ?? '') as { targets: { id: string; settings: { pool: { default: number } } }[] };
    expect(changed.targets.map(({ id, settings: { pool } }) => [id, pool.default])).toEqual([
      ['other', 1],
      ['mine', 5],
    ]);
  });

  it('is not found where it is not, or where the file is broken', () => {
    const text = workspaceTemplate();
    expect(findDefault(text, 'gone', 'pool')).toBeNull();
    expect(findDefault(text, 'my-service', 'threads')).toBeNull();
    expect(findDefault(text.replace('"default": 8,', ''), 'my-service', 'pool')).toBeNull();
    for (const broken of ['', '[', '{"targets": [{', '{"targets": [{"id" "x"}]}', '{'.repeat(5_000), '{"targets": [}]'])
      expect(findDefault(broken, 'x', 'pool'), broken.slice(0, 30)).toBeNull();
  });

  it('is never found in a text that was cut off before it', () => {
    const text = workspaceTemplate();
    const at = findDefault(text, 'my-service', 'pool')?.start ?? 0;
    expect(at).toBeGreaterThan(0);
    for (let length = 0; length <= at; length += 7) expect(findDefault(text.slice(0, length), 'my-service', 'pool')).toBeNull();
  });
});
