import { describe, expect, it } from 'vitest';
import { debuggedProcess } from '../../../../src/extension/debugging/debugged.ts';
import type { LocalProcess } from '../../../../src/model/domain/recording.ts';

const process = (pid: number, runtime: 'node' | 'jvm', command: string, title = ''): LocalProcess => ({
  pid,
  runtime,
  command,
  title,
  version: null,
  targetId: null,
  problem: null,
});
const shop = process(11, 'node', '/usr/bin/node --inspect=127.0.0.1:9321 /ws/shop/server.js');
const other = process(12, 'node', '/usr/bin/node --inspect-brk other.mjs');
const main = process(13, 'jvm', 'java -cp target/classes com.shop.Main', 'com.shop.Main');
const all = [shop, other, main];
const pidOf = (...configurations: Record<string, unknown>[]): number | undefined => debuggedProcess(configurations, all)?.pid;

describe('the process of a debug session', () => {
  it('is told by its pid, by its inspector, and by the program that it was started with', () => {
    expect(pidOf({ type: 'pwa-node', request: 'attach', processId: '12' })).toBe(12);
    expect(pidOf({ type: 'node', request: 'attach', port: 9321 })).toBe(11);
    expect(pidOf({ type: 'node', request: 'attach' })).toBe(12);
    expect(pidOf({ type: 'node', request: 'launch', program: '/ws/shop/server.js' })).toBe(11);
    expect(pidOf({ type: 'node', request: 'launch', program: '/elsewhere/other.mjs' })).toBe(12);
    expect(pidOf({ type: 'java', request: 'launch', mainClass: 'shop/com.shop.Main' })).toBe(13);
  });

  it('is told by the session that the one on show belongs to', () => {
    expect(pidOf({ type: 'pwa-node', __parentId: 'x' }, { type: 'node', request: 'launch', program: '/ws/shop/server.js' })).toBe(11);
  });

  it('is none where two run the same program, where it cannot be recorded, and for other debuggers', () => {
    const twin = { ...shop, pid: 14 };
    expect(debuggedProcess([{ type: 'node', program: '/ws/shop/server.js' }], [shop, twin])).toBeNull();
    const problem = { code: 'internal' as const, message: 'No.', cure: 'None.' };
    expect(debuggedProcess([{ type: 'node', processId: 11 }], [{ ...shop, problem }])).toBeNull();
    expect(pidOf({ type: 'python', program: '/ws/shop/server.js' })).toBeUndefined();
    expect(pidOf()).toBeUndefined();
  });
});
