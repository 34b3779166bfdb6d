import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { settingSpecsSchema } from '../../../src/model/domain/setting.ts';
import { findTarget, targetProblem } from '../../../src/engine/targets/catalog.ts';
import { completeSettings } from '../../../src/engine/targets/launchTarget.ts';
import { Toolchain } from '../../../src/engine/targets/toolchain.ts';
import { declared } from '../../support/declaredTarget.ts';

const specs = settingSpecsSchema.parse({
  pool: { default: 10, min: 1, max: 64, env: 'POOL' },
  threads: { kind: 'choice', choices: ['platform', 'virtual', '8'], default: 'platform', env: 'THREADS' },
});

function refusal(asked: Record<string, number | string>): unknown {
  try {
    return completeSettings('Shop', specs, asked);
  } catch (error) {
    return error instanceof FailureError ? error.failure : error;
  }
}

describe('a target’s settings', () => {
  it('are its defaults with what was asked for', () => {
    expect(completeSettings('Shop', specs, {})).toEqual({ pool: 10, threads: 'platform' });
    expect(completeSettings('Shop', specs, { threads: 'virtual', pool: 1 })).toEqual({ pool: 1, threads: 'virtual' });
    // A command line cannot tell a number from a choice that looks like one.
    expect(completeSettings('Shop', specs, { threads: 8 })).toEqual({ pool: 10, threads: '8' });
  });

  it('that it does not have, or that are outside their range, fail with what is allowed', () => {
    expect(refusal({ heap: 1 })).toMatchObject({
      code: 'setting-unknown',
      message: expect.stringContaining('Shop') as string,
      cure: 'It has: pool, threads.',
    });
    for (const pool of [0, 65, -1, 'many'])
      expect(refusal({ pool })).toMatchObject({ code: 'setting-value', cure: 'Choose a whole number from 1 to 64.' });
    expect(refusal({ threads: 'green' })).toMatchObject({ code: 'setting-value', cure: 'Choose one of: platform, virtual, 8.' });
  });
});

describe('a target', () => {
  it('that is not declared fails with those that are, or with what is wrong with the file', () => {
    const declarations = { targets: [declared('shop'), declared('desk')], loadProfiles: [], postgresUrl: null, problems: [], starts: '' };
    expect(findTarget(declarations, 'desk').target.id).toBe('desk');
    expect(() => findTarget(declarations, 'shed')).toThrow(/no target “shed”/);
    const problem = { code: 'workspace-file' as const, message: 'benchside.json:2:1: broken.', cure: 'Correct it.' };
    expect(() => findTarget({ ...declarations, problems: [problem] }, 'shed')).toThrow(/no target “shed”\. benchside\.json:2:1: broken\./);
  });

  it('on Java needs a Java, and nothing else does', () => {
    const java = declared('shop', { command: ['java', '-jar', 'x.jar'] });
    expect(targetProblem(java, { java: null })).toMatchObject({ code: 'java-missing' });
    expect(targetProblem(java, { java: '/usr/bin/java' })).toBeNull();
    expect(targetProblem(declared('shop'), { java: null })).toBeNull();
  });

  it('that requires a file which is not there says how to get it', () => {
    expect(targetProblem(declared('shop', { requires: ['x.jar'], requiresCure: 'Run mvn package.' }), { java: null })).toMatchObject({
      code: 'requirement-missing',
      cure: 'Run mvn package.',
    });
  });
});

describe('the toolchain', () => {
  it('is what the settings say, else what the PATH holds; only the words node and java are replaced', () => {
    const own = new Toolchain({ nodePath: '/opt/node/bin/node', javaPath: '~/jdk/bin/java' });
    expect(own.program('node')).toBe('/opt/node/bin/node');
    expect(own.program('java')).toMatch(/^\/.*\/jdk\/bin\/java$/);
    expect(own.program('./node')).toBe('./node');
    expect(own.programEnvironment('node')).toEqual({});
  });

  it('takes no Java from an empty JAVA_HOME', () => {
    const before = { PATH: process.env['PATH'], JAVA_HOME: process.env['JAVA_HOME'] };
    Object.assign(process.env, { PATH: '/nonexistent', JAVA_HOME: '' });
    try {
      const none = new Toolchain({ nodePath: null, javaPath: null });
      expect(none.java).toBeNull();
      expect(none.program('java')).toBe('java');
      expect(none.node).toBe(process.execPath);
    } finally {
      process.env['PATH'] = before.PATH;
      if (before.JAVA_HOME === undefined) delete process.env['JAVA_HOME'];
      else process.env['JAVA_HOME'] = before.JAVA_HOME;
    }
  });
});
