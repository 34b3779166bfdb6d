import { expect, it } from 'vitest';
import { toFailure } from '../../../src/model/domain/failure.ts';
import { initdbFailure } from '../../../src/engine/services/postgresServer.ts';

it.each([
  [
    'initdb: error: could not look up effective user ID 54321: user does not exist\n',
    /number 54321, of whom this system knows no name/,
    /bench:x:54321:54321:/,
  ],
  ['initdb: error: could not create directory "x": No space left on device\n', /could not make its data folder \/data/, /disk is not full/],
])('what initdb says (%j) is told with its cure', (output, message, cure) => {
  const failure = toFailure(initdbFailure('/data', output));
  expect(failure).toMatchObject({ code: 'postgres-initdb', detail: output });
  expect(failure.message).toMatch(message);
  expect(failure.cure).toMatch(cure);
});
