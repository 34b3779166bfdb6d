import { describe, expect, it } from 'vitest';
import { readCollapsed } from '../../../../src/engine/calltree/readCollapsed.ts';
import { leftOutNotes } from '../../../../src/calltree/recorderFrames.ts';
import { readJfr } from '../../../../src/engine/calltree/jfr/readJfr.ts';
import { eventTotal } from '../../../../src/calltree/totals.ts';
import { writeCollapsed } from '../../../../src/engine/calltree/writeCollapsed.ts';
import { joinTrees } from '../../../../src/calltree/joinTrees.ts';
import type { CallTree } from '../../../../src/model/domain/callTree.ts';
import { type Bytes, type ChunkSpec, chunk, compressed, text } from './jfrWriter.ts';

const frameTypes = ['JIT compiled', 'Inlined', 'Native', 'C++', 'Kernel'] as const;
type FrameType = (typeof frameTypes)[number];

/** A frame as async-profiler writes it: its class or library, its name, and what it is. */
type Frame = readonly [place: string, name: string, type: FrameType];

const types: ChunkSpec['types'] = [
  { id: 2, name: 'long' },
  { id: 3, name: 'boolean' },
  { id: 4, name: 'java.lang.String' },
  { id: 5, name: 'int' },
  { id: 12, name: 'jdk.types.Symbol', fields: [['string', 4]] },
  { id: 13, name: 'java.lang.Class', fields: [['name', 12, 'pooled']] },
  {
    id: 14,
    name: 'jdk.types.Method',
    fields: [
      ['type', 13, 'pooled'],
      ['name', 12, 'pooled'],
    ],
  },
  { id: 15, name: 'jdk.types.FrameType', fields: [['description', 4]] },
  {
    id: 16,
    name: 'jdk.types.StackFrame',
    fields: [
      ['method', 14, 'pooled'],
      ['lineNumber', 5],
      ['type', 15, 'pooled'],
    ],
  },
  {
    id: 17,
    name: 'jdk.types.StackTrace',
    fields: [
      ['truncated', 3],
      ['frames', 16, 'array'],
    ],
  },
  {
    id: 100,
    name: 'jdk.ExecutionSample',
    fields: [
      ['startTime', 2],
      ['stackTrace', 17, 'pooled'],
    ],
  },
  {
    id: 101,
    name: 'profiler.WallClockSample',
    fields: [
      ['startTime', 2],
      ['stackTrace', 17, 'pooled'],
      ['samples', 5],
    ],
  },
  {
    id: 102,
    name: 'jdk.ThreadPark',
    fields: [
      ['startTime', 2],
      ['duration', 2],
      ['stackTrace', 17, 'pooled'],
    ],
  },
];

interface Recorded {
  type: 'cpu' | 'wall' | 'park';
  /** From the root to the leaf. */
  stack: readonly Frame[];
  samples?: number;
}

/** A recording of these stacks, each once or as often as its event says. */
function recorded(events: readonly Recorded[]): CallTree {
  const texts: string[] = [];
  const symbol = (value: string): number => {
    if (!texts.includes(value)) texts.push(value);
    return texts.indexOf(value) + 1;
  };
  const methods = events.flatMap(({ stack }) => stack);
  const frame = ([place, name, type]: Frame): Bytes => [
    ...compressed(methods.findIndex((one) => one[0] === place && one[1] === name) + 1),
    ...compressed(12),
    ...compressed(frameTypes.indexOf(type) + 1),
  ];
  const places = [...new Set(methods.map(([place]) => place))];
  const method = ([place, name]: Frame): Bytes => [...compressed(places.indexOf(place) + 1), ...compressed(symbol(name))];
  const methodConstants = methods.map((one, index) => [index + 1, method(one)] as const);
  const classConstants = places.map((place, index) => [index + 1, compressed(symbol(place))] as const);
  const body = ({ type, samples = 1 }: Recorded, index: number): Bytes => [
    ...compressed(index),
    ...(type === 'park' ? compressed(1_000_000) : []),
    ...compressed(index + 1),
    ...(type === 'wall' ? compressed(samples) : []),
  ];
  const ids = { cpu: 100, wall: 101, park: 102 };
  return readJfr(
    chunk({
      types,
      pools: [
        { type: 12, constants: texts.map((value, index) => [index + 1, text(value)] as const) },
        { type: 13, constants: classConstants },
        { type: 14, constants: methodConstants },
        { type: 15, constants: frameTypes.map((value, index) => [index + 1, text(value)] as const) },
        {
          type: 17,
          constants: events.map(({ stack }, index) => [
            index + 1,
            [0, ...compressed(stack.length), ...[...stack].reverse().flatMap(frame)],
          ]),
        },
      ],
      events: events.map((event, index) => ({ type: ids[event.type], body: body(event, index) })),
    }),
  );
}

const profiler = 'libasyncProfiler.so';
const route: Frame = ['bulletin/Routes', 'answer', 'JIT compiled'];
const park: Frame = ['jdk/internal/misc/Unsafe', 'park', 'JIT compiled'];
const unsafePark: Frame = ['libjvm.so', 'Unsafe_Park', 'Native'];
const condWait: Frame = ['libc.so.6', '___pthread_cond_timedwait', 'Native'];
const hook: Frame = [profiler, 'LockTracer::UnsafeParkHook', 'C++'];
const handler: Frame = [profiler, 'WallClock::signalHandler', 'C++'];

/** The collapsed stacks of an event. */
function stacksOf(tree: CallTree, event: string): string[] {
  const column = tree.events.find(({ name }) => name === event);
  return column === undefined ? [] : writeCollapsed(tree, column).trim().split('\n');
}

describe('samples of async-profiler itself, in a recording of it', () => {
  it.each<[string, Frame[]]>([
    ['in its signal handler', [route, handler]],
    ['below its signal handler', [route, handler, ['libc.so.6', 'clock_gettime@@GLIBC_2.17', 'Native']]],
    [
      'while it walks a stack with the help of the JVM',
      [route, [profiler, 'Profiler::recordSample', 'C++'], ['libjvm.so', 'jvmti_GetStackTrace', 'Native']],
    ],
    ['while it notes how long a traced method took', [route, ['one/profiler/Instrument', 'recordExit', 'Inlined']]],
    ['in its hook of waiting threads', [route, park, hook]],
    ['while that hook asks who waits', [route, park, hook, ['libjvm.so', 'jvmti_GetCurrentThread', 'Native']]],
    ['in its own thread', [[profiler, 'Profiler::timerLoop', 'C++'], condWait]],
  ])('are left out and counted: %s', (_where, stack) => {
    const tree = recorded([
      { type: 'cpu', stack: [route] },
      { type: 'cpu', stack },
      { type: 'wall', stack, samples: 3 },
      { type: 'wall', stack: [route], samples: 6 },
    ]);
    expect(stacksOf(tree, 'cpu')).toEqual(['bulletin.Routes.answer_[j] 1']);
    expect(stacksOf(tree, 'wall')).toEqual(['bulletin.Routes.answer_[j] 6']);
    expect(tree.functions.name).toEqual(['bulletin.Routes.answer']);
    expect(tree.samples?.node.length).toBe(2);
    expect(tree.leftOut).toEqual([
      { event: 'cpu', samples: 1, ofSamples: 2 },
      { event: 'wall', samples: 3, ofSamples: 9 },
    ]);
  });

  it('are not those of a thread that waits behind its hook: they are the app’s, without the hook', () => {
    const tree = recorded([
      { type: 'wall', stack: [route, park, hook, unsafePark, condWait], samples: 4 },
      { type: 'wall', stack: [route, park, unsafePark, condWait] },
    ]);
    const stack = 'bulletin.Routes.answer_[j];jdk.internal.misc.Unsafe.park_[j];Unsafe_Park;___pthread_cond_timedwait';
    expect(stacksOf(tree, 'wall')).toEqual([`${stack} 5`]);
    expect(tree.leftOut).toBeUndefined();
  });

  it('are not what it notes of waits of the app, whichever frames of its own the stack has', () => {
    const tree = recorded([{ type: 'park', stack: [route, park, [profiler, 'LockTracer::recordContendedLock', 'C++']] }]);
    expect(eventTotal(tree.events[0] as CallTree['events'][number])).toBe(1_000_000);
    expect(tree.leftOut).toBeUndefined();
  });

  it('are not those of a class or a library of the app that has such a name', () => {
    const tree = recorded([
      { type: 'cpu', stack: [route, ['libapp.so', 'Profiler::recordSample', 'C++']] },
      { type: 'cpu', stack: [['bulletin/one/profiler/Instrument', 'recordExit', 'JIT compiled']] },
    ]);
    expect(eventTotal(tree.events[0] as CallTree['events'][number])).toBe(2);
    expect(tree.leftOut).toBeUndefined();
  });

  it('are told in one note each, of two recordings as of one', () => {
    const one = recorded([
      { type: 'cpu', stack: [route] },
      { type: 'cpu', stack: [route, handler] },
    ]);
    const note = { code: 'recorder-left-out', event: 'cpu' };
    expect(leftOutNotes(one.leftOut)).toEqual([{ ...note, samples: 1, ofSamples: 2 }]);
    expect(leftOutNotes(joinTrees(one, one).leftOut)).toEqual([{ ...note, samples: 2, ofSamples: 4 }]);
    expect(leftOutNotes(recorded([{ type: 'cpu', stack: [route] }]).leftOut)).toEqual([]);
  });
});

describe('samples of async-profiler itself, in collapsed stacks', () => {
  const read = (lines: readonly string[]): CallTree => readCollapsed(new TextEncoder().encode(lines.join('\n')));

  it('are left out and counted, and what waits behind its hook is the app’s', () => {
    const tree = read([
      'app.Main.run_[j] 5',
      'app.Main.run_[j];WallClock::signalHandler 3',
      'app.Main.run_[j];WallClock::signalHandler;Profiler::recordSample;StackWalker::walkVM 2',
      'app.Main.run_[j];jdk.internal.misc.Unsafe.park_[j];LockTracer::UnsafeParkHook 1',
      'app.Main.run_[j];jdk.internal.misc.Unsafe.park_[j];LockTracer::UnsafeParkHook;jvmti_GetClassSignature;JvmtiEnv::GetClassSignature 1',
      'app.Main.run_[j];jdk.internal.misc.Unsafe.park_[j];LockTracer::UnsafeParkHook;Unsafe_Park;Parker::park 7',
      'app.Main.run_[j];jdk.internal.misc.Unsafe.park_[j];Unsafe_Park;Parker::park 1',
    ]);
    expect(stacksOf(tree, 'samples')).toEqual([
      'app.Main.run_[j] 5',
      'app.Main.run_[j];jdk.internal.misc.Unsafe.park_[j];Unsafe_Park;Parker::park 8',
    ]);
    expect(tree.leftOut).toEqual([{ event: 'samples', samples: 7, ofSamples: 20 }]);
  });

  it('are none where no name is its own', () => {
    const tree = read(['main;Profiler::start;work 3', 'main;Hook::signalHandler 1']);
    expect(stacksOf(tree, 'samples')).toEqual(['main;Profiler::start;work 3', 'main;Hook::signalHandler 1']);
    expect(tree.leftOut).toBeUndefined();
  });
});
