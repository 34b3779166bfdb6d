import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeMarks } from '../../../../src/extension/versions/changeMarks.ts';
import { markedLines } from '../../../../src/extension/source/sourceMarkLines.ts';
import { exampleVersionRun, exampleVersions } from '../../../support/versionRecords.ts';

const { why } = exampleVersions();
const lines = [
  { file: 'server.js', line: 3, base: 1e6, head: 1.9e6 },
  { file: 'server.js', line: 7, base: 0.3e6, head: 0.1e6 },
];

function marks(versions: Parameters<typeof exampleVersionRun>[0] = {}) {
  const run = exampleVersionRun({ why: why === null ? null : { ...why, lines }, ...versions });
  return changeMarks(run, path.resolve('/folder'), () => undefined);
}

describe('marks of a change in the source', () => {
  it('say by how much each line takes more or less for a request, warm where it takes more', () => {
    const source = marks();
    const [file] = source?.table.files ?? [];
    expect(file?.file).toBe(path.resolve('/folder/server.js'));
    const place = (line: number) => ({ file: file?.file ?? '', line });
    expect(source?.words?.text(place(3), false)).toBe('+0.900 ms');
    expect(source?.words?.text(place(7), true)).toBe('−0.200 ms?');
    if (file === undefined || source === null) throw new Error('there is no file');
    const [more, less] = markedLines(file, source.table, 0);
    expect(more?.step).toBeGreaterThan(less?.step ?? Infinity);
  });

  it('have the evidence in their hover, the verdict, and the way to both flame graphs', () => {
    const source = marks();
    const written = source?.words?.hover({ file: source.table.files[0]?.file ?? '', line: 3 }, 'Stale: changed.') ?? '';
    // As it is read: what is Markdown in it is escaped.
    const hover = written.replace(/\\(?=[^\w\s])/g, '');
    expect(hover).toContain('1.00 ms → 1.90 ms for each request');
    expect(hover).toContain('is 12 % slower than HEAD');
    expect(hover).toMatch(/Stale/);
    expect(hover).toMatch(/\[Compare the flame graphs of both versions\]\(command:/);
  });

  it('stand on the code that the folder has, and are none of other commits or of a comparison without lines', () => {
    const head = { label: 'v2 (1234567)', commit: '1234567', trialKey: null };
    expect(marks({ head })).toBeNull();
    expect(marks({ head, asked: { base: 'main', head: 'HEAD', mergeBase: false, target: 'shop' } })).not.toBeNull();
    expect(marks({ why })).toBeNull();
  });
});
