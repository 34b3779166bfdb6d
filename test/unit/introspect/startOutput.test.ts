import { expect, it } from 'vitest';
import { errorSaid, missingProgram, refusedPlace, withoutFrames } from '../../../src/engine/introspect/startOutput.ts';

it('keeps what says what is wrong, with the first frame of each trace', () => {
  const output = [
    'Application run failed',
    'BeanCreationException: Error creating bean',
    '\tat org.a.B.c(B.java:1)',
    '\tat org.a.B.d(B.java:2)',
    '\t... 8 common frames omitted',
    'Caused by: ConnectException: refused',
    '\t... 12 more',
  ].join('\n');
  expect(withoutFrames(output, 30).split('\n')).toEqual([
    'Application run failed',
    'BeanCreationException: Error creating bean',
    '\tat org.a.B.c(B.java:1)',
    'Caused by: ConnectException: refused',
  ]);
});

it('ends with the last line, and has no more lines than are asked for', () => {
  expect(withoutFrames('one\ntwo\n    at f (a.js:1:2)\n    at g (a.js:3:4)\nthree', 3)).toBe('two\n    at f (a.js:1:2)\nthree');
});

it('leaves alone lines of a program that begin with “at”', () => {
  expect(withoutFrames('attached\nat', 5)).toBe('attached\nat');
});

it.each([
  ['PSQLException: Connection to localhost:5432 refused. Check that the hostname and port are correct', 'localhost:5432'],
  [
    'AnnotatedConnectException: Connection refused: localhost/127.0.0.1:5433\nCaused by: ConnectException: Connection refused',
    'localhost:5433',
  ],
  ['Error: connect ECONNREFUSED 127.0.0.1:6379\n    at TCPConnectWrap.afterConnect', '127.0.0.1:6379'],
  ['Error: connect ECONNREFUSED ::1:6379', null],
  ['dial tcp [::1]:5432: connect: connection refused', '[::1]:5432'],
  ['connection to server at "localhost" (::1), port 5432 failed: Connection refused', 'localhost:5432'],
  ['2026-11-30T20:54:44 connected to localhost:5432\nrefused to start', null],
  ['20:54 c.z.h.HikariDataSource:45 - Connection refused (Connection.java:12)', null],
])('names the place that refused a connection: %s', (output, place) => {
  expect(refusedPlace(output)).toBe(place);
});

it.each([
  ['> dev\n> bun run src/index.ts\n\nsh: 1: bun: not found', 'bun'],
  ['bash: line 1: deno: command not found\n', 'deno'],
  ['/bin/sh: pm2-runtime: not found', 'pm2-runtime'],
  ['zsh:1: command not found: bun', 'bun'],
  ['Error: users: not found', null],
  ['', null],
])('names the program that a shell did not find: %s', (output, program) => {
  expect(missingProgram(output)).toBe(program);
});

it.each([
  [
    '> shop@1.0.0 migrate\n> knex migrate:latest\n\nError: “db.host” is not defined\n    at Config.get (config.js:1:2)\nnpm error code 1',
    '“db.host”',
  ],
  ['[ERROR] connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'],
  ["Error during migration run:\nQueryFailedError: relation “a” exists\n  severity: 'ERROR',", 'QueryFailedError'],
])('repeats the last line that says what is wrong', (output, said) => {
  expect(errorSaid(output)).toEqual([expect.stringContaining(said)]);
});

it('repeats no line of an output that names no error', () => {
  expect(errorSaid('migrating\n0 errors\nnpm error code 1')).toEqual([]);
});

it('cuts a line that is too long to be read', () => {
  expect(errorSaid(`Error: ${'x'.repeat(1_000)}`).join('').length).toBeLessThan(250);
});
