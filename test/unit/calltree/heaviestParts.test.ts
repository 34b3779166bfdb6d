import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { heaviestParts } from '../../../src/calltree/sentence/heaviestParts.ts';
import { withRoles } from '../../../src/calltree/stackRoles.ts';
import { readProfile } from '../../../src/engine/calltree/openProfile.ts';
import type { CallTree } from '../../../src/model/domain/callTree.ts';
import { treeOf } from './trees.ts';

const limits = { most: 3, least: 0.1 };
const fixture = (name: string): CallTree =>
  withRoles(readProfile(readFileSync(path.resolve(import.meta.dirname, '../../fixtures/profiles', name))));

const frame = (name: string, file: string, declared: number, line: number) => ({ name, file, declared, line });

describe('the heaviest parts of a recording', () => {
  it('are functions of the app with the line that is executing, whatever library they call there', () => {
    const handler = frame('shop.Orders.list', 'Orders.java', 0, 20);
    const log = frame('ch.qos.logback.classic.Logger.info', 'Logger.java', 0, 579);
    const caller = frame('java.lang.StackTraceElement.of', 'StackTraceElement.java', 0, 540);
    const tree = treeOf(
      [
        { frames: [handler, log, caller], weights: [60] },
        { frames: [{ ...handler, line: 22 }], weights: [10] },
        { frames: [frame('org.eclipse.jetty.server.Request.parse', 'Request.java', 0, 9)], weights: [25] },
        { frames: [frame('shop.Other.run', 'Other.java', 0, 3)], weights: [5] },
      ],
      [{ name: 'cpu', unit: 'ns' }],
    );
    expect(heaviestParts(withRoles(tree), 'cpu', limits)).toEqual([
      { kind: 'code', share: 0.7, name: 'Orders.list', place: 'Orders.java:20', callee: 'Logger.info' },
      { kind: 'library', share: 0.25, name: 'Jetty', place: '', callee: '' },
    ]);
  });

  it('have the line that ticks say of V8, else the line of the declaration', () => {
    expect(heaviestParts(fixture('board.cpuprofile'), 'cpu', limits)[0]).toMatchObject({
      kind: 'code',
      name: 'parse',
      place: 'board.mjs:5',
    });
    const tested = frame('isAddress', '/app/src/validate.js', 3, 0);
    const tree = treeOf([{ frames: [tested, frame('RegExp: ^(a+)+$', '', 0, 0)], weights: [9] }], [{ name: 'cpu', unit: 'ns' }]);
    expect(heaviestParts(withRoles(tree), 'cpu', limits)).toEqual([
      { kind: 'code', share: 1, name: 'isAddress', place: 'validate.js:3', callee: 'RegExp: ^(a+)+$' },
    ]);
  });

  it('are at most as many as are asked for, and none of an event that was not recorded', () => {
    expect(heaviestParts(fixture('board.cpuprofile'), 'cpu', { most: 1, least: 0 })).toHaveLength(1);
    expect(heaviestParts(fixture('board.cpuprofile'), 'alloc', limits)).toEqual([]);
  });
});
