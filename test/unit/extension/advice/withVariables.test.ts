import { describe, expect, it } from 'vitest';
import { withVariables } from '../../../../src/extension/advice/adviceText.ts';

const text = `{
  // Ours.
  "targets": [
    {
      "id": "shop",
      "env": { "JAVA_TOOL_OPTIONS": "-Xss1m", "UV_THREADPOOL_SIZE": "4" }
    },
    { "id": "pay", "routes": [] }
  ]
}
`;
const heap = { name: 'JAVA_TOOL_OPTIONS', value: '-Xmx256m', appends: true };
const threads = { name: 'UV_THREADPOOL_SIZE', value: '8', appends: false };

describe('variables of an advice in benchside.json', () => {
  it('go behind the options that are there, or in the place of another value, and leave the rest as it is', () => {
    const written = withVariables(text, 'shop', [heap, threads]);
    expect(written?.changed).toEqual([
      { name: 'JAVA_TOOL_OPTIONS', value: '-Xss1m -Xmx256m' },
      { name: 'UV_THREADPOOL_SIZE', value: '8' },
    ]);
    expect(written?.text).toBe(text.replace('"-Xss1m"', '"-Xss1m -Xmx256m"').replace('"4"', '"8"'));
  });

  it('have an environment of their own where the target has none, and options of two changes are one variable', () => {
    const written = withVariables(text, 'pay', [heap, { ...heap, value: '-XX:+UseParallelGC' }]);
    expect(written?.text).toContain('{ "id": "pay", "routes": [], "env": { "JAVA_TOOL_OPTIONS": "-Xmx256m -XX:+UseParallelGC" } }');
  });

  it('are not written twice, nor into a target that is not there', () => {
    const once = withVariables(text, 'shop', [heap, threads])?.text ?? '';
    expect(withVariables(once, 'shop', [heap, threads])).toEqual({ text: once, changed: [] });
    expect(withVariables(text, 'other', [heap])).toBeNull();
  });
});
