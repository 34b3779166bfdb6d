import { expect, it } from 'vitest';
import { withoutFrames } from '../../../src/engine/introspect/startOutput.ts';

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
