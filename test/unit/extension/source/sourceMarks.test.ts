import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventIndex, heatStep, heatSteps, markedLines, neighbour, tableFileOf } from '../../../../src/extension/source/sourceMarkLines.ts';
import { functionText, markHover, markText, markWidth } from '../../../../src/extension/source/sourceMarkTexts.ts';
import { TrackedDocument } from '../../../../src/extension/source/trackedDocument.ts';
import type { LineTable } from '../../../../src/model/domain/flame.ts';
import { lineTable } from './lineTables.ts';

type TableFile = LineTable['files'][number];
const table = lineTable();
const [java, node] = table.files as [TableFile, TableFile];

describe('which lines are marked', () => {
  it('marks lines of half a percent and more, warmer the larger their share', () => {
    expect(markedLines(java, table, 0)).toEqual([
      { index: 0, step: heatStep(0.521) },
      { index: 1, step: heatStep(0.098) },
    ]);
    expect(heatStep(0.521)).toBeGreaterThan(heatStep(0.098));
    expect([heatStep(0.004_99), heatStep(0.005), heatStep(1)]).toEqual([-1, 0, heatSteps.length - 1]);
  });

  it('marks nothing for an event that weighs nothing', () => {
    expect(markedLines(java, table, 1)).toEqual([]);
    expect(markedLines(java, table, -1)).toEqual([]);
  });

  it('never has more than 16 kinds of marks', () => {
    expect(heatSteps.length + 1).toBeLessThanOrEqual(16);
  });

  it('finds the part of the table that is about a document', () => {
    const found = (path: string, roots: string[] = ['/folder']): string | undefined => tableFileOf(path, roots, table.files)?.file;
    expect(found('/anywhere/src/main/java/bulletin/Database.java')).toBe(java.file);
    expect(found('/anywhere/other/Database.java')).toBe(undefined);
    expect(found('/app/src/server.js')).toBe(node.file);
    expect(found('/folder/src/server.js')).toBe(node.file);
    expect(found('/elsewhere/src/server.js')).toBe(undefined);
    expect(found('/folder/server.js')).toBe(undefined);
  });

  it('takes the event of that name, else the first', () => {
    expect(eventIndex(table, 'alloc')).toBe(1);
    expect(eventIndex(table, 'cpu')).toBe(0);
    expect(eventIndex({ ...table, events: [] }, 'cpu')).toBe(-1);
  });

  it('goes round the marked lines of a file in both directions', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(500), { minLength: 1 }), (lines) => {
        const sorted = [...lines].sort((a, b) => a - b);
        let at = sorted.at(-1) ?? 0;
        const forwards = sorted.map(() => (at = neighbour(lines, at, 1) ?? -1));
        expect(forwards).toEqual(sorted);
        at = sorted[0] ?? 0;
        const backwards = sorted.map(() => (at = neighbour(lines, at, -1) ?? -1));
        expect(backwards).toEqual([...sorted].reverse());
      }),
    );
    expect(neighbour([], 3, 1)).toBe(undefined);
  });
});

describe('what a mark says', () => {
  const hovered = { file: java, table, event: 0, label: 'java', compared: null, stale: null };

  it('gives the share in as many characters as its column has, with a question mark where it may be wrong', () => {
    const texts = [1, 0.9949, 0.521, 0.0996, 0.0049].flatMap((part) =>
      [false, true].map((stale) => markText(part * 10e9, table, 0, stale)),
    );
    expect(texts).toEqual(['100 %', '100 %?', '99 %', '99 %?', '52 %', '52 %?', '10 %', '10 %?', '0.5 %', '0.5 %?']);
    expect(Math.max(...texts.map((text) => text.length))).toBe(markWidth);
  });

  it('shows hostile names as text', () => {
    const line = java.lines[0];
    if (line === undefined) throw new Error('the table has a line');
    const hover = markHover({ ...hovered, line, label: 'java · <img src=x> · 14:02', stale: 'Stale: it changed.' });
    expect(hover).not.toMatch(/(?<!\\)\[x\]|(?<!\\)<\/td|(?<!\\)<img/);
    expect(hover).toContain('52.0 %');
    expect(hover).toContain('Stale');
    expect(hover).not.toContain('allocations');
  });

  it('leads to the function in the flame graph, or in the comparison, whatever its name is', () => {
    const hostile = 'a](command:evil) %2541 (x)';
    const file = { ...java, functions: java.functions.map((func) => ({ ...func, name: hostile })) };
    const [line] = java.lines;
    if (line === undefined) throw new Error('the table has a line');
    const address = (hover: string): unknown => {
      const query = /\(command:benchside\.focusFunction\?([^()\s]*)\)/.exec(hover)?.[1] ?? '';
      return JSON.parse(decodeURIComponent(decodeURIComponent(query)));
    };
    const alone = markHover({ ...hovered, file, line });
    expect(alone).toContain('in the flame graph](');
    expect(address(alone)).toEqual([hostile, java.file]);
    expect(alone.match(/(?<!\\)\]\(/g)).toHaveLength(1);
    const compared = markHover({ ...hovered, file, line, compared: { label: 'pool 16', table: lineTable({ requests: 4000 }) } });
    expect(compared).toContain('in the comparison with pool 16](');
    expect(compared).toContain('/req against pool 16');
  });

  it('shows the change of a function per request against another recording', () => {
    const func = java.functions[0];
    if (func === undefined) throw new Error('the table has a function');
    const faster = lineTable({ requests: 4000 });
    expect(functionText(func, java, table, 0, null)).toBe('52.1 % · 0.0 % itself · 5.21 ms/req');
    expect(functionText(func, java, table, 0, { label: 'pool 16', table: faster })).toBe(
      '52.1 % · 0.0 % itself · 5.21 ms/req · +3.91 ms/req against pool 16',
    );
    const unknownLoad = lineTable({ requests: null });
    expect(functionText(func, java, unknownLoad, 0, { label: 'b', table: faster })).toContain('+0.0 points against b');
  });
});

describe('a followed document', () => {
  const text = Array.from({ length: 45 }, (_, line) => `line ${line + 1};`);
  const open = (): TrackedDocument => new TrackedDocument(java, text.length, (line) => text[line] ?? '');

  it('moves its marks with an edit above them and does not call them stale', () => {
    const document = open();
    const after = ['', ...text];
    document.change(
      [{ startLine: 0, startCharacter: 0, endLine: 0, endCharacter: 0, text: '\n' }],
      after.length,
      (line) => after[line] ?? '',
    );
    expect([document.lineOf(0), document.functionLineOf(0), document.staleness(0)]).toEqual([26, 24, null]);
  });

  it('calls a mark stale while its line differs, and no longer when that is undone', () => {
    const document = open();
    const edited = text.map((line, index) => (index === 25 ? 'changed;' : line));
    const at = { startLine: 25, startCharacter: 0, endLine: 25, endCharacter: 8 };
    document.change([{ ...at, text: 'changed;' }], edited.length, (line) => edited[line] ?? '');
    expect([document.lineOf(0), document.staleness(0), document.staleness(1)]).toEqual([25, 'lineChanged', null]);
    document.change([{ ...at, text: 'line 26;' }], text.length, (line) => text[line] ?? '');
    expect(document.staleness(0)).toBe(null);
  });

  it('ignores indentation, tells a file changed since, and notices what happened while it was closed', () => {
    const document = open();
    document.look(text.length, (line) => `   ${text[line] ?? ''}`);
    expect(document.staleness(0)).toBe(null);
    document.fileChanged = true;
    expect(document.staleness(0)).toBe('fileChanged');
    document.look(10, (line) => text[line] ?? '');
    expect(document.lineOf(0)).toBe(null);
  });
});
