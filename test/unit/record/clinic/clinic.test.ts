import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { codeTiers, frameKinds } from '../../../../src/model/domain/callTree.ts';
import { FailureError } from '../../../../src/model/domain/failure.ts';
import { recorderAbilitiesSchema } from '../../../../src/model/domain/recording.ts';
import { eventTotal } from '../../../../src/calltree/totals.ts';
import { clinicCommand } from '../../../../src/engine/record/clinic/clinicCommand.ts';
import { readClinicMessage } from '../../../../src/engine/record/clinic/clinicMessages.ts';
import { clinicInstalled, clinicLockSha256, clinicManifest } from '../../../../src/engine/record/clinic/clinicPackage.ts';
import { clinicTools } from '../../../../src/engine/record/clinic/clinicTools.ts';
import { type DoctorResult, doctorHint, readDoctorHint } from '../../../../src/engine/record/clinic/doctorHint.ts';
import { readClinicFlame } from '../../../../src/engine/record/clinic/readClinicFlame.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const scratch = mkdtempSync(path.join(tmpdir(), 'clinic-unit-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
writeFileSync(path.join(scratch, 'server.mjs'), '');
writeFileSync(path.join(scratch, 'hook.mjs'), '');

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof FailureError) return error.failure.code;
    throw error;
  }
  throw new Error('It did not fail.');
}

describe('the command that Clinic’s tools get', () => {
  const searchPath = path.dirname(process.execPath);
  const command = (...argv: string[]): string[] => clinicCommand(argv, scratch, searchPath, '/preload.cjs').slice(1);

  it('has the preload in front and the script by its full path, and keeps options and arguments', () => {
    expect(command('node', '--import', './hook.mjs', '--max-old-space-size=64', 'server.mjs', '--port', '1')).toEqual([
      ...['--require', '/preload.cjs', '--import', './hook.mjs', '--max-old-space-size=64'],
      ...[path.join(scratch, 'server.mjs'), '--port', '1'],
    ]);
    expect(command(process.execPath, 'server.mjs')).toEqual(['--require', '/preload.cjs', path.join(scratch, 'server.mjs')]);
  });

  it.each([[['npm', 'start']], [['python3', 'server.py']], [['node']], [['node', '-e', '1']], [['node', '--', ...[]]]])(
    'cannot be %j',
    (argv) => {
      expect(codeOf(() => command(...argv))).toBe('clinic-needs-node');
    },
  );

  it('needs a script that is there', () => {
    expect(codeOf(() => command('node', 'missing.mjs'))).toBe('script-not-found');
  });
});

describe('the lockfile of Clinic', () => {
  it('is the one whose checksum the engine knows, and names a checksum for every package and no registry', () => {
    const lock = readFileSync(path.join(root, 'tools', 'clinic', 'package-lock.json'), 'utf8');
    expect(createHash('sha256').update(lock).digest('hex')).toBe(clinicLockSha256);
    const { packages } = JSON.parse(lock) as { packages: Record<string, { version: string; integrity?: string; resolved?: string }> };
    const { '': project, ...others } = packages;
    expect(project).toBeDefined();
    expect(Object.values(others).filter(({ integrity, resolved }) => !integrity?.startsWith('sha512-') || resolved !== undefined)).toEqual(
      [],
    );
    const versions = ['clinic', '@clinic/doctor', '@clinic/flame', '@clinic/heap-profiler', '@clinic/bubbleprof'].map(
      (name) => others[`node_modules/${name}`]?.version,
    );
    expect(versions).toEqual(['13.0.0', '11.0.0', '13.0.0', '5.0.0', '10.0.0']);
    expect(clinicManifest(root).packageCount).toBeGreaterThan(500);
  });

  it('is missed with a sentence, and nothing counts as installed without its marker', () => {
    expect(codeOf(() => clinicManifest(scratch))).toBe('clinic-lockfile-changed');
    mkdirSync(path.join(scratch, `clinic-${clinicLockSha256.slice(0, 12)}`, 'node_modules', '@clinic'), { recursive: true });
    expect(clinicInstalled(scratch)).toBe(false);
  });
});

describe('the list of Clinic’s tools', () => {
  it('has bubbleprof with the reason why it cannot be used, and none that attaches', () => {
    const tools = clinicTools('linux');
    expect(tools.map(({ id, problem }) => [id, problem?.code ?? null])).toEqual([
      ['clinic-doctor', null],
      ['clinic-flame', null],
      ['clinic-heap', null],
      ['clinic-bubbleprof', 'clinic-bubbleprof-unsupported'],
    ]);
    for (const { abilities } of tools) expect(recorderAbilitiesSchema.parse(abilities)).toMatchObject({ attach: false, relaunch: true });
    expect(clinicTools('win32').every(({ problem }) => problem !== null)).toBe(true);
  });
});

describe('doctor’s hint', () => {
  const result = (count: number, category: string): DoctorResult => {
    const column = (value: number): number[] => Array.from({ length: count }, () => value);
    const timeMs = column(0).map((_zero, index) => index * 10);
    return {
      issueCategory: category,
      issues: { delay: 'performance', memory: { rss: 'none' } },
      timeMs,
      cpu: column(0.5),
      delayMs: column(1).map((one, index) => (index === 777 ? 90 : one)),
      handles: column(3),
      loopUtilization: column(20),
      rss: column(1e8),
      heapTotal: column(5e7),
      heapUsed: column(4e7),
    };
  };

  it('keeps the longest delay however many samples there are, and says on how many it rests', () => {
    const hint = doctorHint(result(5_000, 'event-loop'), 'Clinic Doctor 11.0.0');
    expect(hint).toMatchObject({
      category: 'event-loop',
      samples: 5_000,
      enough: true,
      issues: { delay: 'performance', 'memory.rss': 'none' },
    });
    for (const { timeMs, values } of hint.series) {
      expect(values.length).toBeLessThanOrEqual(500);
      expect(timeMs).toHaveLength(values.length);
    }
    expect(hint.series.find(({ name }) => name === 'CPU')?.values).toEqual(Array.from({ length: 500 }, () => 50));
    expect(Math.max(...(hint.series.find(({ name }) => name === 'event-loop delay')?.values ?? []).map(Number))).toBe(90);
    expect(readDoctorHint(new TextEncoder().encode(JSON.stringify(hint)))).toEqual(hint);
  });

  it('does not rest on few samples, nor on a category that names no cause', () => {
    expect(doctorHint(result(50, 'io'), '').enough).toBe(false);
    expect(doctorHint(result(5_000, 'data'), '').enough).toBe(false);
  });

  it('that an earlier version recorded with its sentence is read', () => {
    const hint = doctorHint(result(500, 'io'), '');
    expect(readDoctorHint(new TextEncoder().encode(JSON.stringify({ ...hint, sentence: 'It waits.' })))).toEqual(hint);
  });

  it.each(['', '{', '[]', '{"tool":1}', `"${'x'.repeat(2_000_001)}"`])('is refused with a sentence when it is no hint (%#)', (text) => {
    expect(codeOf(() => readDoctorHint(new TextEncoder().encode(text)))).toBe('hint-damaged');
  });
});

describe('the tree of Clinic’s flame', () => {
  const functions = [
    { name: 'serve', file: '/app/server.js', line: 3, category: 'app' },
    { name: '', file: '/app/node_modules/x/index.js', line: 1, category: 'deps' },
    { name: '</script><img src=x onerror=alert(1)>', file: 'node:http', line: 9, category: 'core' },
    { name: '(garbage collector)', file: '', line: 0, category: 'all-v8' },
    { name: '__proto__', file: '', line: 0, category: 'somewhere' },
  ];
  const nodes = {
    parent: [-1, 0, 1, 1, 0, 4],
    func: [-1, 0, 1, 3, 2, 4],
    self: [0, 1, 2, 3, 4, 5],
    tier: ['unknown', 'optimised', 'inlined', 'unknown', 'interpreted', 'constructor'],
  };
  const document = { format: 'benchside-clinic-flame', version: 1, functions, nodes };

  it('has the weights, kinds, lines and tiers of the file', () => {
    const tree = readClinicFlame(document);
    expect(tree.events.map(({ name, unit }) => [name, unit])).toEqual([['cpu', 'count']]);
    expect(tree.events[0] && eventTotal(tree.events[0])).toBe(15);
    expect([...tree.parent]).toEqual(nodes.parent);
    expect([...tree.functions.kind].map((kind) => frameKinds[kind])).toEqual(['app', 'dependency', 'runtime', 'gc', 'other']);
    expect(tree.functions.name[1]).toBe('(anonymous)');
    expect(tree.functions.name[2]).toBe('</script><img src=x onerror=alert(1)>');
    expect([...(tree.tier ?? [])].map((tier) => codeTiers[tier])).toEqual([
      'unknown',
      'optimised',
      'inlined',
      'unknown',
      'interpreted',
      'unknown',
    ]);
  });

  it.each([
    { ...document, version: 2 },
    { ...document, functions: null },
    { ...document, nodes: { ...nodes, parent: [-1, 1, 1, 1, 0, 4] } },
    { ...document, nodes: { ...nodes, func: [-1, 0, 99, 3, 2, 4] } },
    { ...document, nodes: { ...nodes, self: [0, 1, 2, 3, 4] } },
    { ...document, nodes: { ...nodes, self: [0, 1, 2, 3, 4, -5] } },
    { ...document, nodes: { ...nodes, self: [0, 1, 2, 3, 4, 'x'] } },
  ])('is refused with a sentence when it is damaged (%#)', (damaged) => {
    expect(codeOf(() => readClinicFlame(damaged))).toBe('profile-damaged');
  });

  it('is either read or refused, whatever stands in the file', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('version', 'functions', 'nodes'), fc.oneof(fc.jsonValue(), fc.constant(1), fc.constant(nodes))),
        (value) => {
          try {
            expect(readClinicFlame(value as Readonly<Record<string, unknown>>).nodeCount).toBeGreaterThan(0);
          } catch (error) {
            expect(error).toBeInstanceOf(FailureError);
          }
        },
      ),
    );
  });
});

describe('a line of the runner', () => {
  it('is a message only with the mark and the right form', () => {
    expect(readClinicMessage('m {"type":"listening","port":80}', 'm ')).toEqual({ type: 'listening', port: 80 });
    for (const line of ['{"type":"finished"}', 'm {', 'm {"type":"else"}', 'n {"type":"finished"}'])
      expect(readClinicMessage(line, 'm ')).toBeNull();
  });
});
