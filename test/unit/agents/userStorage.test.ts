import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { storageDirIn } from '../../../src/agents/userStorage.ts';
import { FailureError } from '../../../src/model/domain/failure.ts';

const home = userInfo().homedir;

describe('the folder of what Benchside keeps for a user', () => {
  it.each<[string, NodeJS.ProcessEnv, string]>([
    ['what was asked for', { BENCHSIDE_STORAGE: '/x/y', HOME: '/h' }, '/x/y'],
    ['below the folder of caches', { XDG_CACHE_HOME: '/c', HOME: '/h' }, '/c/benchside'],
    ['below the user’s home', { HOME: '/h' }, '/h/.cache/benchside'],
    ['as if it were not said, where that is empty', { BENCHSIDE_STORAGE: '', XDG_CACHE_HOME: '', HOME: '/h' }, '/h/.cache/benchside'],
    ['not below a relative folder of caches', { XDG_CACHE_HOME: 'cache', HOME: '/h' }, '/h/.cache/benchside'],
    ['the home that the system knows, where the variable is empty', { HOME: '' }, path.join(home, '.cache', 'benchside')],
    ['the home that the system knows, where the variable is relative', { HOME: '.' }, path.join(home, '.cache', 'benchside')],
  ])('is %s', (_what, env, folder) => {
    expect(storageDirIn(env)).toBe(folder);
  });

  it('is never taken from where a command happens to run', () => {
    expect(() => storageDirIn({ BENCHSIDE_STORAGE: 'store', HOME: '/h' })).toThrow(FailureError);
    expect(() => storageDirIn({ BENCHSIDE_STORAGE: 'store', HOME: '/h' })).toThrow(/“store” is not the whole path of a folder/);
  });

  it('is a failure with a cure where the user has no home at all', () => {
    const nobody = (): never => {
      throw new Error('ENOENT: no such file or directory, uv_os_get_passwd');
    };
    expect(() => storageDirIn({}, nobody)).toThrow(/has no home/);
    expect(() => storageDirIn({ HOME: tmpdir() }, nobody)).not.toThrow();
  });
});
