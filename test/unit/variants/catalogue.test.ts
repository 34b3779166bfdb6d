import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Failure, FailureError } from '../../../src/model/domain/failure.ts';
import type { SettingValue } from '../../../src/model/domain/setting.ts';
import type { DeclaredTarget } from '../../../src/engine/targets/catalog.ts';
import { variantKeyOf, variantKeys } from '../../../src/engine/variants/catalogue.ts';
import { coresAsked, databaseSettings, rttAsked, varied, variantsIn, variantsOf, withValues } from '../../../src/engine/variants/varied.ts';
import type { ProcessView } from '../../../src/engine/variants/variantKey.ts';
import { declared } from '../../support/declaredTarget.ts';

const noJava = { java: null };
const node = declared('node', { runtime: 'node' });
const java = declared('java', {
  runtime: 'jvm',
  command: ['java', '-XX:+UseSerialGC', '-Xmx1g', '{arguments}', '-jar', 'app.jar'],
  settings: { heapMb: { default: 256, arguments: ['-Xmx{value}m'] } },
});
const withData = declared('data', { runtime: 'node', postgres: { env: { url: 'URL' } } });

function refusal(targets: DeclaredTarget[], asked: Record<string, SettingValue[]>): Failure {
  try {
    varied(targets, asked, noJava);
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
  }
  throw new Error('it was not refused');
}

/** A target with one of these values, as it is started. */
function started(target: DeclaredTarget, asked: Record<string, SettingValue>): DeclaredTarget['target'] {
  const lists = Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, [value]]));
  const { targets, settings } = varied([target], lists, noJava);
  const own = Object.fromEntries(Object.entries(settings).flatMap(([name, [value]]) => (value === undefined ? [] : [[name, value]])));
  return withValues(targets[0] as DeclaredTarget, own).target;
}

const blind: ProcessView = {
  jvmFlag: () => Promise.resolve(null),
  probe: () => Promise.resolve(null),
  options: () => null,
  code: () => null,
  program: () => null,
  cores: () => null,
  databaseSetting: () => Promise.resolve(null),
  ownDatabase: () => Promise.resolve(null),
  distance: () => Promise.resolve(null),
};

describe('the catalogue', () => {
  it('has one entry for a key, with all that its documentation needs', () => {
    expect(new Set(variantKeys.map(({ key }) => key)).size).toBe(variantKeys.length);
    for (const { meaning, takes, source, of } of variantKeys) {
      expect(meaning).toMatch(/\.$/);
      for (const text of [takes, of]) expect(text).not.toBe('');
      expect(source).toMatch(/^https:\/\//);
    }
  });

  it('has an example of each key that is one of its own, in the way in which it writes values', () => {
    for (const key of variantKeys) {
      const [name = '', list = ''] = key.example.split('=');
      expect(variantKeyOf(name), key.example).toBe(key);
      const values = list.split(',').map((text) => key.read(text));
      expect(values.length, key.example).toBeGreaterThan(1);
      for (const value of values) expect(value, key.example).toMatchObject({ ok: true });
    }
  });

  it('has copies of each key that it reads, of which two are not the same text', () => {
    for (const { key, copies, read } of variantKeys) {
      const values = copies('/srv/nothing.sql').map((text) => read(text));
      for (const value of values) expect(value, key).toMatchObject({ ok: true });
      expect(new Set(values.map((value) => JSON.stringify(value))).size, key).toBe(values.length);
    }
  });

  it('offers a target what fits it, and not what it declares itself', () => {
    const keysOf = (target: DeclaredTarget): string[] => variantsOf(target).map(({ key }) => key);
    expect(keysOf(node)).toEqual(['node', 'node.heap', 'node.semi-space', 'uv.threads', 'cores', 'code']);
    expect(keysOf(java)).toEqual(['java', 'jvm.gc', 'jvm.heap', 'cores', 'code']);
    expect(keysOf(withData)).toEqual(expect.arrayContaining(['postgres.<setting>', 'sql', 'rows', 'rtt']));
    expect(keysOf(declared('own', { runtime: 'node', settings: { cores: { default: 2, env: 'CORES' } } }))).not.toContain('cores');
  });

  it('knows a setting of PostgreSQL by any name, and no name of an object’s own', () => {
    expect(variantKeyOf('postgres.work_mem')?.key).toBe('postgres.<setting>');
    for (const name of ['postgres.', 'postgres.a b', 'jvm', 'jvm.gcc', 'toString', '__proto__', 'constructor'])
      expect(variantKeyOf(name), name).toBeUndefined();
  });

  it('reads a value into one way of writing it, which it reads as itself', () => {
    for (const key of variantKeys)
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string({ maxLength: 12 }),
            fc.nat({ max: 5000 }).map(String),
            fc.nat({ max: 9 }).map((n) => `${n}G`),
          ),
          (text) => {
            const once = key.read(text);
            if (once.ok) expect(key.read(once.value)).toEqual(once);
            else expect(once.problem).toMatch(/\.$/);
          },
        ),
      );
  });

  it('calls nothing in force that a process does not show', async () => {
    for (const key of variantKeys) expect(await key.seen('1', blind, key.key), key.key).toBeNull();
  });
});

describe('what is varied', () => {
  it('is the same value however it is written, so that copies are refused by who plans the run', () => {
    const { settings } = varied([java], { 'jvm.gc': ['g1', 'PARALLEL'], 'jvm.heap': ['1g', '1024m', 1024] }, noJava);
    expect(settings).toEqual({ 'jvm.gc': ['G1', 'Parallel'], 'jvm.heap': ['1024m', '1024m', '1024m'] });
  });

  it('goes to the targets that can have it, and leaves the others as they are', () => {
    const { targets, names } = varied([node, java], { 'jvm.gc': ['G1', 'Serial'] }, noJava);
    expect(names).toEqual(['jvm.gc']);
    expect(targets[0]).toBe(node);
    expect(targets[1]?.target.settings['jvm.gc']).toMatchObject({ kind: 'choice', choices: ['G1', 'Serial'] });
  });

  it('is the target’s own where it declares a setting of that name', () => {
    const own = declared('own', { runtime: 'node', settings: { cores: { default: 2, env: 'CORES' } } });
    const { targets, settings, names } = varied([own], { cores: [1, 2] }, noJava);
    expect({ targets, settings, names }).toEqual({ targets: [own], settings: { cores: [1, 2] }, names: [] });
    expect(coresAsked(own, { cores: 1 })).toBeUndefined();
    expect(withValues(own, { cores: 1 })).toBe(own);
  });

  it('is refused with a cure where it is unknown, none, of another runtime or more than there is', () => {
    expect(refusal([java], { 'jvm.collector': ['G1'] })).toMatchObject({
      code: 'variant-unknown',
      cure: expect.stringContaining('jvm.gc') as string,
    });
    expect(refusal([java], { 'jvm.gc': ['CMS'] })).toMatchObject({
      code: 'setting-value',
      cure: expect.stringContaining('Parallel') as string,
    });
    expect(refusal([node], { 'node.semi-space': ['24'] })).toMatchObject({ code: 'setting-value' });
    expect(refusal([node], { 'jvm.gc': ['G1'] })).toMatchObject({
      code: 'variant-unfit',
      cure: expect.stringContaining('node.heap') as string,
    });
    expect(refusal([node], { 'postgres.work_mem': ['4MB'] })).toMatchObject({ code: 'variant-unfit' });
    expect(refusal([node], { cores: ['1024'] })).toMatchObject({ code: 'cores-too-many' });
    expect(refusal([node], { rtt: ['0'] })).toMatchObject({ code: 'variant-unfit' });
    expect(refusal([withData], { rtt: ['-1ms'] })).toMatchObject({ code: 'setting-value' });
    const bouncer = { mode: 'transaction', poolSize: 5 } as const;
    const pooled = declared('pooled', { runtime: 'node', postgres: { env: { url: 'URL' }, bouncer } });
    expect(refusal([pooled], { rtt: ['1ms'] })).toMatchObject({
      code: 'variant-unfit',
      cure: expect.stringContaining('PgBouncer') as string,
    });
  });
});

describe('a value is brought about', () => {
  it('by an option of java, in place of those that say otherwise wherever they stand', () => {
    expect(started(java, { 'jvm.gc': 'Parallel', 'jvm.heap': '512m' })).toMatchObject({
      command: ['java', '-Xmx512m', '-XX:+UseParallelGC', '{arguments}', '-jar', 'app.jar'],
      settings: { heapMb: { arguments: [] } },
    });
  });

  it('by a distance of so many ms, in whatever unit it was asked for', () => {
    const { targets, settings } = varied([withData], { rtt: ['0', '500us', '2'] }, noJava);
    expect(settings).toEqual({ rtt: ['0ms', '0.5ms', '2ms'] });
    expect(settings['rtt']?.map((value) => rttAsked(targets[0] as DeclaredTarget, { rtt: value }))).toEqual([0, 0.5, 2]);
  });

  it('by the variable that a JVM reads where a script starts it, with what stands there already', () => {
    const script = declared('script', { runtime: 'jvm', command: ['./run.sh'], env: { JAVA_TOOL_OPTIONS: '-Da=b -XX:+UseG1GC' } });
    expect(started(script, { 'jvm.gc': 'ZGC' })).toMatchObject({ command: ['./run.sh'], env: { JAVA_TOOL_OPTIONS: '-Da=b -XX:+UseZGC' } });
  });

  it('by NODE_OPTIONS, a variable, a limit and a role of its own in PostgreSQL', () => {
    expect(started(node, { 'node.semi-space': '32', 'uv.threads': 8 }).env).toEqual({
      NODE_OPTIONS: '--max-semi-space-size=32',
      UV_THREADPOOL_SIZE: '8',
    });
    expect(started(node, { cores: '1' }).cores).toBe(1);
    const { targets } = varied([withData], { 'postgres.work_mem': ['4MB'] }, noJava);
    const [own] = targets as [DeclaredTarget];
    expect(databaseSettings(own, { 'postgres.work_mem': '4MB' })).toEqual({ work_mem: '4MB' });
    expect(withValues(own, { 'postgres.work_mem': '4MB' }).target.env).toEqual({});
  });

  it('and nothing of a target changes that is started with none', () => {
    expect(withValues(java, { heapMb: 256 })).toBe(java);
    expect(variantsIn(java, { heapMb: 256 })).toEqual([]);
  });
});

describe('a value in force', () => {
  const seen = (name: string, value: string, view: Partial<ProcessView>): unknown =>
    variantKeyOf(name)?.seen(value, { ...blind, ...view }, name);
  const heap = (mebibytes: number): Pick<ProcessView, 'probe'> => ({
    probe: () => Promise.resolve({ heap: { usedBytes: 0, maxBytes: mebibytes * 2 ** 20, afterGcBytes: null, allocatedBytes: null } }),
  });

  it('is what the JVM says that it is', async () => {
    const jvm = (on: string): Pick<ProcessView, 'jvmFlag'> => ({
      jvmFlag: (flag) =>
        Promise.resolve(flag === 'MaxHeapSize' ? `-XX:MaxHeapSize=${256 * 2 ** 20}` : `-XX:${flag === on ? '+' : '-'}${flag}`),
    });
    expect(await seen('jvm.gc', 'ZGC', jvm('UseZGC'))).toEqual({ holds: true, shown: 'ZGC' });
    expect(await seen('jvm.gc', 'ZGC', jvm('UseG1GC'))).toEqual({ holds: false, shown: 'G1' });
    expect(await seen('jvm.heap', '256m', jvm(''))).toEqual({ holds: true, shown: '256m' });
    expect(await seen('jvm.heap', '512m', jvm(''))).toEqual({ holds: false, shown: '256m' });
  });

  it('is what V8 says that its limit is, the young space included', async () => {
    expect(await seen('node.heap', '300m', { ...heap(348), options: () => ['--max-old-space-size=300'] })).toMatchObject({ holds: true });
    expect(await seen('node.heap', '512m', { ...heap(348), options: () => ['--max-old-space-size=300'] })).toMatchObject({ holds: false });
    const options = ['--max-semi-space-size=64', '--max_old_space_size=300'];
    expect(await seen('node.semi-space', '64', { ...heap(492), options: () => options })).toEqual({ holds: true, shown: '64 MiB' });
    // A script that sets it once more wins.
    expect(await seen('node.semi-space', '64', { ...heap(348), options: () => [...options, '--max-semi-space-size=16'] })).toEqual({
      holds: false,
      shown: '16 MiB',
    });
  });

  it('is the distance that a statement was timed over, where the app has a connection over it', async () => {
    const over = (addedMs: number, inUse: boolean): Pick<ProcessView, 'distance'> => ({
      distance: () => Promise.resolve({ addedMs, inUse }),
    });
    expect(await seen('rtt', '2ms', over(2.06, true))).toEqual({ holds: true, shown: '2.06ms' });
    expect(await seen('rtt', '2ms', over(0.1, true))).toEqual({ holds: false, shown: '0.10ms' });
    expect(await seen('rtt', '2ms', over(2.06, false))).toEqual({ holds: false, shown: 'none' });
  });

  it('is what PostgreSQL shows to a session of the side', async () => {
    const shows = (shown: string): Pick<ProcessView, 'databaseSetting'> => ({
      databaseSetting: (setting, value) =>
        Promise.resolve({ shown, meant: setting === 'work_mem' && value === '65536kB' ? '64MB' : value }),
    });
    expect(await seen('postgres.work_mem', '65536kB', shows('64MB'))).toEqual({ holds: true, shown: '64MB' });
    expect(await seen('postgres.work_mem', '65536kB', shows('4MB'))).toEqual({ holds: false, shown: '4MB' });
  });
});
