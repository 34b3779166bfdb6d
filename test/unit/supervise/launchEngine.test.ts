import { expect, it } from 'vitest';
import { engineArguments } from '../../../src/engine/supervise/launchEngine.ts';

it('an engine opens its inspector only on a port that was asked for, and to this machine only', () => {
  const quiet = ['engine.cjs'];
  expect(engineArguments('engine.cjs', {})).toEqual(quiet);
  expect(engineArguments('engine.cjs', { BENCHSIDE_INSPECT_ENGINE: '' })).toEqual(quiet);
  expect(engineArguments('engine.cjs', { BENCHSIDE_INSPECT_ENGINE: '0.0.0.0:9330' })).toEqual(quiet);
  expect(engineArguments('engine.cjs', { BENCHSIDE_INSPECT_ENGINE: '9330' })).toEqual(['--inspect=127.0.0.1:9330', 'engine.cjs']);
});
