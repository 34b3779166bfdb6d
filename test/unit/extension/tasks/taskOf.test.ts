import { describe, expect, it } from 'vitest';
import { checkedLines } from '../../../../src/cli/checkRoutesCommand.ts';
import { taskContributions, taskOf } from '../../../../src/extension/kit/manifest/tasks.ts';

describe('a task of the editor', () => {
  it('is a command that there is, with words as its options', () => {
    expect(taskOf({ type: 'benchside', command: 'check-routes' })).toEqual({ command: 'check-routes', arguments: [] });
    expect(taskOf({ type: 'benchside', command: 'diff', arguments: ['HEAD'] })).toEqual({ command: 'diff', arguments: ['HEAD'] });
    for (const definition of [
      {},
      { command: 'rm' },
      { command: 'toString' },
      { command: 'run', arguments: 'x' },
      { command: 'run', arguments: [1] },
    ])
      expect(taskOf(definition)).toBeNull();
  });

  it('has its problems at the lines of handlers, by the lines that the terminal prints', () => {
    const lines = checkedLines(
      [
        {
          target: 'shop',
          route: 'GET /orders',
          path: '/orders',
          status: 200,
          tookMs: 1,
          problem: null,
          statements: [],
          uncounted: null,
          budget: { statements: 3 },
          above: ['11 statements, budget 3'],
          place: { file: 'src/my orders.ts', line: 12 },
        },
      ],
      [{ target: 'users', failure: { code: 'target-exited', message: 'Users ended.', cure: 'Look.' } }],
    ).flatMap((text) => text.split('\n'));
    const [matcher] = taskContributions.problemMatchers;
    if (matcher === undefined) throw new Error('there is a matcher');
    const { pattern } = matcher;
    const found = lines.flatMap((line) => {
      const match = new RegExp(pattern.regexp).exec(line);
      return match === null ? [] : [[match[pattern.file], match[pattern.line], match[pattern.severity], match[pattern.message]]];
    });
    expect(found).toEqual([
      ['src/my orders.ts', '12', 'error', 'shop GET /orders: 11 statements, budget 3'],
      ['benchside.json', '1', 'error', 'users: Users ended. Look.'],
    ]);
  });
});
