import { type ChunkSpec, compressed, text } from './jfrWriter.ts';

/** A small recording: its types, its constants, and events of them. */
export const types: ChunkSpec['types'] = [
  { id: 2, name: 'long' },
  { id: 3, name: 'boolean' },
  { id: 4, name: 'java.lang.String' },
  { id: 5, name: 'int' },
  {
    id: 10,
    name: 'java.lang.Thread',
    fields: [
      ['osName', 4],
      ['javaName', 4],
    ],
  },
  { id: 11, name: 'jdk.types.ThreadState', fields: [['name', 4]] },
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
      ['unknownText', 4],
      ['sampledThread', 10, 'pooled'],
      ['stackTrace', 17, 'pooled'],
      ['state', 11, 'pooled'],
    ],
  },
  {
    id: 101,
    name: 'jdk.ActiveSetting',
    fields: [
      ['startTime', 2],
      ['id', 2],
      ['name', 4],
      ['value', 4],
    ],
  },
  {
    id: 102,
    name: 'jdk.ThreadPark',
    fields: [
      ['startTime', 2],
      ['duration', 2],
      ['eventThread', 10, 'pooled'],
      ['stackTrace', 17, 'pooled'],
    ],
  },
];
/** More than a double holds. */
const bigKey = 2n ** 60n + 1n;
export const pools: ChunkSpec['pools'] = [
  { type: 4, constants: [[1, text('worker <b>')]] },
  { type: 10, constants: [[7, [1, 2, 1]]] },
  { type: 11, constants: [[1, text('STATE_RUNNABLE')]] },
  {
    type: 12,
    constants: [
      [1, text('org/acme/App')],
      [2, text('run')],
      [bigKey, text('__proto__')],
    ],
  },
  { type: 13, constants: [[1, [1]]] },
  {
    type: 14,
    constants: [
      [1, [1, 2]],
      [bigKey, [1, ...compressed(bigKey)]],
      [bigKey + 1n, [1, 2]],
    ],
  },
  { type: 15, constants: [[1, text('JIT compiled')]] },
  {
    type: 17,
    constants: [
      [5, [1, 2, ...compressed(bigKey), 33, 1, 1, 12, 1]],
      [6, [0, 0]],
    ],
  },
];
export const sample = (timeNs: number, stack: number): ChunkSpec['events'][number] => ({
  type: 100,
  body: [...compressed(timeNs), ...text('skipped'), 7, stack, 1],
});
export const period = { type: 101, body: [0, 100, ...text('period'), ...text('20 ms')] };
