import { expect, it } from 'vitest';
import type { AskedOf } from '../../../src/model/protocol/measureRequest.ts';
import { parseCommand } from '../../../src/cli/arguments.ts';
import { parsedCommand } from '../../support/parsedCommand.ts';

function sidesOf(...words: string[]): unknown {
  const { base, head, mergeBase } = parsedCommand(['diff', ...words])['request'] as AskedOf<'diff'>;
  return [base, head, mergeBase];
}

it('two versions are named in Git’s manner: none is the working tree against HEAD, two dots are both ends, three the commit in which they parted', () => {
  expect(sidesOf()).toEqual(['HEAD', null, false]);
  expect(sidesOf('v1.2')).toEqual(['v1.2', null, false]);
  expect(sidesOf('v1.2', 'HEAD')).toEqual(['v1.2', 'HEAD', false]);
  expect(sidesOf('v1.2..side')).toEqual(['v1.2', 'side', false]);
  expect(sidesOf('main...')).toEqual(['main', 'HEAD', true]);
  expect(sidesOf('...side')).toEqual(['HEAD', 'side', true]);
  expect(() => sidesOf('main...side', 'HEAD')).toThrow(/names both versions already/);
});

it.each([['diff'], ['bisect', 'v1', 'v2'], ['run'], ['tune', '--set', 'pool=2,4'], ['experiment', 'C'], ['advise']])(
  'cancels %s at a first interrupt, and keeps what was measured',
  (...argv) => {
    expect(parseCommand(argv, 80)).toMatchObject({ measures: true });
  },
);
