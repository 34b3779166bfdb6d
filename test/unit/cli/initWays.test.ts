import { describe, expect, it } from 'vitest';
import { unwrittenLines, yesLine } from '../../../src/cli/initWays.ts';
import { type FoundService, startPhrase } from '../../../src/model/domain/detection.ts';
import type { Failure } from '../../../src/model/domain/failure.ts';

describe('the command line that writes what was found', () => {
  it('names the command that was given, as a shell reads it', () => {
    expect(yesLine([])).toBe('benchside init --yes');
    expect(yesLine(['npm', 'start'])).toBe('benchside init --yes -- npm start');
    expect(yesLine(['node', 'my app.js'])).toBe("benchside init --yes -- node 'my app.js'");
  });
});

const started = (command: string[], env: Record<string, string> = {}): FoundService => ({
  id: 'shop',
  label: 'shop',
  folder: '.',
  because: '',
  findings: [{ part: 'command', title: '', because: '', sure: true, runtime: 'jvm', command, env, requires: [], requiresCure: null }],
  driver: null,
  questions: [],
});
const down = (code: Failure['code'], detail?: string) => (): Failure => ({
  code,
  message: 'It ended.',
  cure: 'Stop that program.',
  ...(detail === undefined ? {} : { detail }),
});

describe('what to do about a service that did not come up', () => {
  it('is to look at what it says and to give it what it wants, and not the same command again', () => {
    const [, line] = unwrittenLines([started(['java', '{arguments}', '-jar', 'a.jar'])], [], down('target-exited', 'no NAME'), () => true);
    expect(line).toMatch(/^shop did not come up\. Look at its last output: .*: benchside init -- NAME=VALUE java -jar a\.jar$/);
  });

  it.each(['port-taken', 'target-exited'] as const)(
    'is what the failure says where that is known, or where there is no output: %s',
    (code) => {
      expect(unwrittenLines([started(['node', 'a.js'])], [], down(code), () => true)).toEqual([
        'Nothing was written.',
        'shop did not come up. Stop that program.',
      ]);
    },
  );
});

describe('a command that is shown to a person', () => {
  const service = started(['npm', 'run', '{arguments}', 'start'], { npm_config_update_notifier: 'false', MODE: 'x' });

  it('is without the place of its arguments and without what Benchside adds to a call of npm', () => {
    const lines = (wasStarted: boolean): string[] =>
      unwrittenLines(
        [service],
        [],
        () => null,
        () => wasStarted,
      );
    expect(lines(true)[1]).toMatch(/Name one that it answers: benchside init --route \/PATH -- MODE=x npm run start$/);
    expect(lines(false).slice(1)).toEqual([
      expect.stringMatching(/Have it started once to see what it answers: benchside init --yes -- MODE=x npm run start$/),
      '  or name one that it answers: benchside init --route /PATH -- MODE=x npm run start',
    ]);
    expect(startPhrase(service)[0]).toBe('shop: npm run start, with MODE set');
  });
});
