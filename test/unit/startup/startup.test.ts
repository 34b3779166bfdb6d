import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { archiveKind, isJavaItself, withJavaOptions } from '../../../src/engine/startup/classArchive.ts';
import { classLoadingParts } from '../../../src/engine/startup/classLoading.ts';
import { cpuProfileParts } from '../../../src/engine/startup/profileParts.ts';
import { variantOf, pairedRatio, startTime } from '../../../src/engine/startup/startTimes.ts';
import type { DeclaredTarget } from '../../../src/engine/targets/catalog.ts';
import type { Start } from '../../../src/model/domain/startup.ts';

const startOf = (readyMs: number): Start => ({ readyMs, firstAnswerMs: null, firstTookMs: null, laterTookMs: null });
const times = fc.array(fc.double({ min: 1, max: 1e5, noNaN: true }), { minLength: 2, maxLength: 20 });

describe('the time of a start', () => {
  it('is a geometric mean within its interval, and scales with the clock', () => {
    fc.assert(
      fc.property(times, fc.double({ min: 0.1, max: 10, noNaN: true }), (all, factor) => {
        const one = startTime(all);
        const other = startTime(all.map((ms) => ms * factor));
        expect(one).not.toBeNull();
        if (one === null || other === null) return;
        expect(one.low).toBeLessThanOrEqual(one.mean * (1 + 1e-9));
        expect(one.high).toBeGreaterThanOrEqual(one.mean * (1 - 1e-9));
        expect(other.mean / one.mean).toBeCloseTo(factor, 6);
      }),
    );
    expect(startTime([100])).toBeNull();
    expect(variantOf('as-is', [startOf(90), startOf(110)])).toMatchObject({ firstAnswer: null, laterTook: null });
  });

  it('is compared by pairs: what both starts of a turn share does not matter', () => {
    const turns = [1, 3, 0.5, 8, 2];
    const made = pairedRatio(
      turns.map((slow) => startOf(1000 * slow)),
      turns.map((slow, turn) => startOf(700 * slow * (turn % 2 === 0 ? 1.01 : 0.99))),
    );
    expect(made?.verdict).toBe('better');
    expect(made?.ratio.mean).toBeCloseTo(0.7, 1);
    const same = turns.map((slow, turn) => startOf(1000 * slow * (turn % 2 === 0 ? 1.005 : 0.995)));
    expect(
      pairedRatio(
        turns.map((slow) => startOf(1000 * slow)),
        same,
      )?.verdict,
    ).toBe('same');
    expect(pairedRatio([startOf(1)], [startOf(2)])).toBeNull();
  });
});

describe('where the time of a start goes', () => {
  it('is from class to class, by where each came from, until it is ready', () => {
    const log = [
      '[10000000ns] java.lang.Object source: shared objects file',
      '[20000000ns] com.example.App source: file:/app/app.jar',
      '[60000000ns] org.lib.A source: jar:nested:/app/app.jar/!BOOT-INF/lib/lib-1.0.jar!/',
      '[61000000ns] com.example.App$$Lambda/0x1 source: com.example.App',
      '[70000000ns] java.sql.Driver source: jrt:/java.sql',
      'not a line of it',
      '[990000000ns] com.example.Late source: file:/app/late.jar',
    ].join('\n');
    const parts = classLoadingParts(log, 100);
    expect(parts.map(({ name, ms, classes }) => [name, ms, classes])).toEqual([
      ['app.jar', 40, 1],
      ['JDK, not in the archive', 30, 1],
      ['(the JVM itself, before its first class)', 10, 0],
      ['JDK, shared archive', 10, 1],
      ['(made while it runs)', 9, 1],
      ['lib-1.0.jar', 1, 1],
    ]);
    expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(classLoadingParts('', 100)).toEqual([]);
  });

  it('is of the innermost package on the stack, and leaves out that it waited to be asked', () => {
    const frame = (functionName: string, url = ''): { functionName: string; url: string } => ({ functionName, url });
    const profile = {
      nodes: [
        { id: 1, callFrame: frame('(root)'), children: [2, 5, 6] },
        { id: 2, callFrame: frame('', 'file:///srv/app.js'), children: [3] },
        { id: 3, callFrame: frame('', 'file:///srv/node_modules/@org/lib/index.js'), children: [4] },
        { id: 4, callFrame: frame('readFileSync', 'node:fs') },
        { id: 5, callFrame: frame('(idle)') },
        { id: 6, callFrame: frame('(garbage collector)') },
      ],
      startTime: 0,
      samples: [2, 4, 5, 6, 5, 5],
      timeDeltas: [0, 10_000, 20_000, 5_000, 1_000, 400_000],
    };
    const parts = cpuProfileParts({ bootMs: 30, profile }, 500) ?? [];
    expect(Object.fromEntries(parts.map(({ name, ms }) => [name, ms]))).toEqual({
      '(Node itself, before the first file)': 30,
      '@org/lib': 20,
      'the app’s own files': 10,
      '(waiting)': 5,
      '(garbage collector)': 1,
    });
    expect(cpuProfileParts({ profile: null }, 100)).toBeNull();
  });
});

describe('an archive of classes', () => {
  const declared = (command: string[], env: Record<string, string> = {}): DeclaredTarget =>
    ({ target: { id: 'shop', command, env } }) as unknown as DeclaredTarget;

  it('is what the JDK can, and is left alone where a command says so already', () => {
    const java = declared(['java', '-jar', 'app.jar']);
    expect(archiveKind(java, 11)).toBe('old-jdk');
    expect(archiveKind(java, null)).toBe('old-jdk');
    expect(archiveKind(java, 17)).toMatchObject({ way: 'class-archive' });
    expect(archiveKind(java, 25)).toMatchObject({ way: 'aot-cache' });
    expect(archiveKind(declared(['mvn', 'spring-boot:run']), 25)).toBe('not-java');
    expect(archiveKind(declared(['java', '-XX:SharedArchiveFile=a.jsa', '-jar', 'app.jar']), 25)).toBe('archive-declared');
    expect(archiveKind(declared(['java', '-jar', 'app.jar'], { JAVA_TOOL_OPTIONS: '-Xshare:off' }), 25)).toBe('archive-declared');
  });

  it('comes before the words of the command', () => {
    expect(withJavaOptions(declared(['{java}', '-jar', 'app.jar']), ['-XX:AOTCache=f']).target.command).toEqual([
      '{java}',
      '-XX:AOTCache=f',
      '-jar',
      'app.jar',
    ]);
    expect(isJavaItself(['/opt/jdk/bin/java'])).toBe(true);
    expect(isJavaItself(['javac'])).toBe(false);
  });
});
