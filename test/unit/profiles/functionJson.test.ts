import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallTreeBuilder } from '../../../src/calltree/callTreeBuilder.ts';
import { writeFunctionJson } from '../../../src/engine/calltree/writeFunctionJson.ts';
import { functionFiles } from '../../../src/engine/profiles/functionFiles.ts';
import type { CallTree, FrameKind } from '../../../src/model/domain/callTree.ts';

interface Row {
  name: string;
  file: string;
  line: number;
  hotLine: number;
  self: number;
}

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'benchside-sources-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function put(file: string, content: string): string {
  const absolute = path.join(root, file);
  mkdirSync(path.dirname(absolute), { recursive: true });
  writeFileSync(absolute, content);
  return absolute;
}

/** A Java recording: functions without files, with the lines that were executing and their weights. */
function javaTree(functions: readonly { name: string; kind?: FrameKind; lines: readonly [line: number, weight: number][] }[]): CallTree {
  const builder = new CallTreeBuilder([{ name: 'cpu', unit: 'ns' }]);
  for (const { name, kind = 'app', lines } of functions) {
    const func = builder.func(name, '', 0, kind);
    for (const [line, weight] of lines) builder.add(builder.child(0, func, line), 0, weight);
  }
  return builder.build();
}

function rowsOf(tree: CallTree, roots: readonly string[]): Row[] {
  const [event] = tree.events;
  if (event === undefined) throw new Error('no event');
  return (JSON.parse(writeFunctionJson(tree, event, functionFiles(roots), { sentence: '' })) as { functions: Row[] }).functions;
}

describe('the functions of a Java recording as JSON', () => {
  it('have the file of their class, the first line that was seen and the line with most weight', () => {
    const file = put('app/src/main/java/bulletin/Database.java', 'package bulletin;\n');
    const tree = javaTree([
      {
        name: 'bulletin.Database$Reader.read',
        lines: [
          [40, 5],
          [33, 2],
          [38, 9],
        ],
      },
    ]);
    expect(rowsOf(tree, [root])).toEqual([
      { name: 'bulletin.Database$Reader.read', file, line: 33, hotLine: 38, self: 16, total: 16, own: true },
    ]);
  });

  it('have the path that the class has by convention where no file is found, those of the JDK too', () => {
    const tree = javaTree([
      { name: 'org.acme.Gone.run', lines: [[7, 2]] },
      { name: 'java.util.Arrays.copyOf', kind: 'runtime', lines: [[9, 1]] },
    ]);
    expect(rowsOf(tree, [root]).map(({ file }) => file)).toEqual(['org/acme/Gone.java', 'java/util/Arrays.java']);
  });

  it('have no file where nothing tells: native functions, and functions without a line', () => {
    const tree = javaTree([
      { name: 'Parker::park', kind: 'native', lines: [[0, 3]] },
      { name: 'main.run', lines: [[0, 2]] },
    ]);
    expect(rowsOf(tree, [root]).map(({ file, line, hotLine }) => ({ file, line, hotLine }))).toEqual([
      { file: '', line: 0, hotLine: 0 },
      { file: '', line: 0, hotLine: 0 },
    ]);
  });

  it('are found by their package, in Kotlin too, and not where two files could hold the class or a build left a copy', () => {
    const kotlin = put('shop/Orders.kt', 'package org.shop\n\nclass Orders\n');
    put('a/src/org/acme/Twice.java', 'package org.acme;\n');
    put('b/src/org/acme/Twice.java', 'package org.acme;\n');
    const once = put('a/src/org/acme/Once.java', 'package org.acme;\n');
    put('a/src/org/other/Once.java', 'package org.other;\n');
    put('target/generated/org/acme/Once.java', 'package org.acme;\n');
    const tree = javaTree([
      { name: 'org.shop.OrdersKt.total', lines: [[3, 3]] },
      { name: 'org.acme.Twice.run', lines: [[3, 2]] },
      { name: 'org.acme.Once.run', lines: [[3, 1]] },
    ]);
    expect(rowsOf(tree, [root, path.join(root, 'not-there')]).map(({ file }) => file)).toEqual([kotlin, 'org/acme/Twice.java', once]);
  });
});

describe('the functions of a Node recording as JSON', () => {
  it('keep the file and line of their declaration and have the line that was executing most', () => {
    const file = put('app.mjs', '');
    const builder = new CallTreeBuilder([{ name: 'cpu', unit: 'ns' }]);
    const node = builder.child(0, builder.func('handler', file, 4, 'app'));
    builder.add(node, 0, 10);
    builder.lineTicks(node, 6, 2);
    builder.lineTicks(node, 5, 8);
    const moved = builder.child(0, builder.func('gone', '/elsewhere/deep/gone.mjs', 2, 'app'));
    builder.add(moved, 0, 1);
    expect(rowsOf(builder.build(), [root])).toEqual([
      { name: 'handler', file, line: 4, hotLine: 5, self: 10, total: 10, own: true },
      { name: 'gone', file: '/elsewhere/deep/gone.mjs', line: 2, hotLine: 0, self: 1, total: 1, own: true },
    ]);
  });

  it('say how many samples of the recorder were left out of the event', () => {
    const tree: CallTree = { ...javaTree([{ name: 'a.B.c', lines: [[1, 1]] }]), leftOut: [{ event: 'cpu', samples: 4, ofSamples: 5 }] };
    const [event] = tree.events;
    if (event === undefined) throw new Error('no event');
    expect(JSON.parse(writeFunctionJson(tree, event, functionFiles([]), { sentence: '' }))).toMatchObject({
      leftOut: { samples: 4, ofSamples: 5 },
    });
  });
});
