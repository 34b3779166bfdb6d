import { describe, expect, it } from 'vitest';
import { functionEnd } from '../../../../src/engine/record/node/functionEnd.ts';
import { cpuMsSince } from '../../../support/cpuMsSince.ts';

/** What of a text is the function that starts at the mark `¦`. */
function functionAt(marked: string): string | null {
  const start = marked.indexOf('¦');
  const text = marked.replace('¦', '');
  const end = functionEnd(text, start);
  return end === null ? null : text.slice(start, end);
}

describe('the end of a function', () => {
  it.each([
    ['a declaration', 'function f¦(a, b) { return a + b; } other()', '(a, b) { return a + b; }'],
    ['default values with brackets', 'function f¦(a = { b: [")"] }, c = () => {}) { d } e', '(a = { b: [")"] }, c = () => {}) { d }'],
    ['nested functions', 'x = function ¦() { function g() { } return () => { } } }', '() { function g() { } return () => { } }'],
    [
      'strings and comments with brackets',
      'm¦() { "}" + \'}\' /* } */ // }\n + `}${"}" + `${1}`}` } }',
      '() { "}" + \'}\' /* } */ // }\n + `}${"}" + `${1}`}` }',
    ],
    ['regular expressions', 'f¦() { return /[/}]{2}/.test(a) || b / 2 / c } }', '() { return /[/}]{2}/.test(a) || b / 2 / c }'],
    ['an arrow function with a body', 'a.map(¦(b) => { c }, d)', '(b) => { c }'],
    ['an arrow function without one', 'a.map(¦b => c(b, [1, 2]), d)', 'b => c(b, [1, 2])'],
    ['an arrow function that gives an object', 'x(¦() => ({ a, b }))', '() => ({ a, b })'],
    ['a class without a constructor', '¦class A extends B { c = {}; d() {} } e', 'class A extends B { c = {}; d() {} }'],
    ['what never ends', 'f¦() { {', null],
    ['what is no function', '¦; f() {}', null],
  ])('is found for %s', (_what, marked, expected) => {
    expect(functionAt(marked)).toBe(expected);
  });

  it('is found within a second in a text of a million open brackets', () => {
    const started = process.cpuUsage();
    expect(functionEnd(`() {${'('.repeat(1_000_000)}`, 0)).toBeNull();
    expect(cpuMsSince(started)).toBeLessThan(5_000);
  });
});
