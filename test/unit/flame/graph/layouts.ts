import { nodeRoles } from '../../../../src/model/domain/callTree.ts';
import { type Category, categories } from '../../../../webview/flame/core/colours.ts';
import type { FlameNames, Layout } from '../../../../webview/flame/core/layout.ts';

/** A call as a test writes it down: its own weight, and what it calls. */
export interface Call {
  name: string;
  category?: Category;
  file?: string;
  line?: number;
  tier?: number;
  self?: number;
  /** In a comparison: its own weight in the other recording. */
  selfB?: number;
  calls?: readonly Call[];
}

export interface Drawn {
  layout: Layout;
  names: FlameNames;
}

interface Placed {
  call: Call;
  parent: number;
  x: number;
  w: number;
  func: number;
}

/** Total of a call on one side, with all it calls. */
function totalOf(call: Call, side: 'self' | 'selfB'): number {
  return (call[side] ?? 0) + (call.calls ?? []).reduce((sum, callee) => sum + totalOf(callee, side), 0);
}

/** Lays calls out as the worker does: by level, callees from their caller's left edge on. With `compared`, a box is as wide as the larger side. */
export function layoutOf(calls: readonly Call[], compared = false): Drawn {
  const numbers = new Map<string, number>();
  const functions: Call[] = [];
  const widthOf = (call: Call): number => (compared ? Math.max(totalOf(call, 'self'), totalOf(call, 'selfB')) : totalOf(call, 'self'));
  const numberOf = (call: Call): number => {
    const known = numbers.get(call.name);
    if (known !== undefined) return known;
    numbers.set(call.name, functions.length);
    return functions.push(call) - 1;
  };
  const root: Call = { name: '', calls };
  const rootWidth = calls.reduce((sum, call) => sum + widthOf(call), 0);
  const boxes: Placed[] = [{ call: root, parent: -1, x: 0, w: rootWidth, func: -1 }];
  const levelStart = [0];
  for (let start = 0; start < boxes.length; start = levelStart.at(-1) ?? 0) {
    const end = boxes.length;
    levelStart.push(end);
    for (let box = start; box < end; box++) {
      const placed = boxes[box]!;
      let { x } = placed;
      for (const call of placed.call.calls ?? []) {
        const w = widthOf(call);
        boxes.push({ call, parent: box, x, w, func: numberOf(call) });
        x += w;
      }
    }
    if (boxes.length === end) break;
  }
  const column = (value: (placed: Placed) => number): number[] => boxes.map(value);
  const selfA = Float64Array.from(column(({ call }) => call.self ?? 0));
  const selfB = Float64Array.from(column(({ call }) => call.selfB ?? 0));
  const layout: Layout = {
    boxCount: boxes.length,
    levelStart: Uint32Array.from(levelStart),
    x: Float64Array.from(column(({ x }) => x)),
    w: Float64Array.from(column(({ w }) => w)),
    func: Int32Array.from(column(({ func }) => func)),
    line: Int32Array.from(column(({ call }) => call.line ?? 0)),
    node: Int32Array.from(boxes.keys()),
    parent: Int32Array.from(column(({ parent }) => parent)),
    self: selfA,
    category: Uint8Array.from(column(({ call }) => categories.indexOf(call.category ?? 'app'))),
    tier: functions.some(({ tier }) => tier !== undefined) ? Uint8Array.from(column(({ call }) => call.tier ?? 0)) : null,
    total: rootWidth,
    unit: 'ns',
    timeOrdered: false,
    hiddenIdle: 0,
    diff: compared
      ? {
          totalA: Float64Array.from(column(({ call }) => totalOf(call, 'self'))),
          totalB: Float64Array.from(column(({ call }) => totalOf(call, 'selfB'))),
          selfA,
          selfB,
          maxChange: selfA.reduce((most, a, box) => Math.max(most, Math.abs(a - (selfB[box] ?? 0))), 0),
          unit: 'ns/request',
        }
      : null,
  };
  const names: FlameNames = {
    name: functions.map(({ name }) => name),
    file: functions.map(({ file }) => file ?? ''),
    line: Int32Array.from(functions, ({ line }) => line ?? 0),
    kind: new Uint8Array(functions.length),
    inA: null,
    inB: null,
  };
  return { layout, names };
}

/** A generator of numbers in [0, 1) that gives the same ones each time. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * A layout of about `boxCount` boxes and 97 levels, few boxes near the root, then ever more and ever narrower ones, which
 * together still fill most of the width: at any zoom as many boxes are on show as can be.
 */
export function largeLayout(boxCount: number, functionCount = 20_000): Drawn {
  const random = randomFrom(20);
  const levels = 97;
  const x: number[] = [0];
  const w: number[] = [1e12];
  const parent: number[] = [-1];
  const levelStart = [0, 1];
  for (let level = 1; level < levels && x.length < boxCount; level++) {
    const start = levelStart[level - 1]!;
    const end = levelStart[level]!;
    const wanted = Math.min((boxCount / levels) * 1.35 * Math.min(1, level / 24), boxCount - x.length);
    const perBox = Math.max(1, wanted / (end - start));
    for (let box = start; box < end; box++) {
      const count = Math.max(1, Math.floor(perBox + random()));
      let left = x[box]!;
      const even = (w[box]! * (0.985 + 0.015 * random())) / count;
      for (let callee = 0; callee < count && x.length < boxCount; callee++) {
        const width = even * (1.4 - (0.8 * (callee + 0.5)) / count);
        x.push(left);
        w.push(width);
        parent.push(box);
        left += width;
      }
    }
    levelStart.push(x.length);
  }
  const count = x.length;
  const func = Int32Array.from({ length: count }, (_, box) => (box === 0 ? -1 : Math.floor(random() * functionCount)));
  const layout: Layout = {
    boxCount: count,
    levelStart: Uint32Array.from(levelStart),
    x: Float64Array.from(x),
    w: Float64Array.from(w),
    func,
    line: Int32Array.from({ length: count }, () => (random() < 0.4 ? 1 + Math.floor(random() * 900) : 0)),
    node: Int32Array.from({ length: count }, (_, box) => box),
    parent: Int32Array.from(parent),
    self: Float64Array.from(w, (width) => width * 0.05),
    category: Uint8Array.from(func, (number) => Math.max(0, number) % (categories.length - nodeRoles.length)),
    tier: null,
    total: 1e12,
    unit: 'ns',
    timeOrdered: false,
    hiddenIdle: 0,
    diff: null,
  };
  const names: FlameNames = {
    name: Array.from({ length: functionCount }, (_, number) => `com.example.service${number % 40}.Handler${number % 900}.method${number}`),
    file: Array.from({ length: functionCount }, (_, number) => `Handler${number % 900}.java`),
    line: new Int32Array(functionCount),
    kind: new Uint8Array(functionCount),
    inA: null,
    inB: null,
  };
  return { layout, names };
}

/** The Java sample with a pool of 2 under load, as the wall view shows it. */
export function javaCalls(): Call[] {
  const park = (self: number): Call[] => [
    {
      name: 'com.zaxxer.hikari.util.ConcurrentBag.borrow',
      category: 'poolWait',
      file: 'ConcurrentBag.java',
      line: 151,
      calls: [
        {
          name: 'java.util.concurrent.SynchronousQueue.poll',
          category: 'poolWait',
          calls: [
            {
              name: 'java.util.concurrent.locks.LockSupport.parkNanos',
              category: 'poolWait',
              calls: [
                { name: 'jdk.internal.misc.Unsafe.park', category: 'poolWait', calls: [{ name: 'futex_wait', category: 'kernel', self }] },
              ],
            },
          ],
        },
      ],
    },
  ];
  return [
    {
      name: 'org.eclipse.jetty.util.thread.QueuedThreadPool.runJob',
      category: 'dependency',
      calls: [
        {
          name: 'bulletin.AdsHandler.handle',
          file: 'AdsHandler.java',
          line: 24,
          self: 8e6,
          tier: 3,
          calls: [
            {
              name: 'com.zaxxer.hikari.HikariDataSource.getConnection',
              category: 'dependency',
              calls: [
                {
                  name: 'com.zaxxer.hikari.pool.HikariPool.getConnection',
                  category: 'dependency',
                  file: 'HikariPool.java',
                  line: 162,
                  calls: park(521e6),
                },
              ],
            },
            {
              name: 'org.postgresql.jdbc.PgPreparedStatement.executeQuery',
              category: 'dependency',
              calls: [
                {
                  name: 'org.postgresql.core.v3.QueryExecutorImpl.execute',
                  category: 'dependency',
                  self: 2e6,
                  calls: [
                    {
                      name: 'org.postgresql.core.PGStream.receiveChar',
                      category: 'dependency',
                      calls: [
                        {
                          name: 'org.postgresql.core.VisibleBufferedInputStream.readMore',
                          category: 'dependency',
                          calls: [
                            {
                              name: 'java.net.SocketInputStream.read',
                              category: 'databaseWait',
                              calls: [{ name: '__libc_recv', category: 'databaseWait', self: 310e6 }],
                            },
                          ],
                        },
                      ],
                    },
                  ],
                },
              ],
            },
            {
              name: 'bulletin.AdsHandler.render',
              file: 'AdsHandler.java',
              line: 41,
              self: 8e6,
              calls: [
                {
                  name: 'java.lang.StringBuilder.append',
                  category: 'runtime',
                  self: 14e6,
                  calls: [{ name: 'java.lang.String.getBytes', category: 'runtime', self: 34e6 }],
                },
                { name: 'org.postgresql.jdbc.PgResultSet.getString', category: 'dependency', self: 40e6 },
              ],
            },
            { name: 'bulletin.AdsHandler.write', file: 'AdsHandler.java', self: 22e6 },
          ],
        },
      ],
    },
    { name: 'C2 CompilerThread0', category: 'jit', self: 24e6 },
    { name: 'G1ParEvacuateFollowers', category: 'gc', self: 17e6 },
  ];
}
