import { describe, expect, it } from 'vitest';
import { eventName } from '../../../../src/model/presentation/eventNames.ts';
import { recordingRow, recordingTitle } from '../../../../src/extension/recordings/recordingRows.ts';
import { recordingSummarySchema } from '../../../../src/model/domain/recording.ts';

const recording = recordingSummarySchema.parse({
  id: 'm8z1qk00-0123456789abcdef01234567',
  runId: null,
  title: 'java · pool 2',
  startedAt: new Date(2026, 10, 21, 14, 2).toISOString(),
  recorder: 'async-profiler',
  runtime: 'jvm',
  target: 'java',
  trialKey: null,
  events: ['wall', 'cpu'],
  durationMs: 10_000,
});

describe('a recording’s row', () => {
  it('reads like a sentence', () => {
    const row = recordingRow(recording, new Date(2026, 10, 21, 15, 0));
    expect(`${row.label} · ${row.description}`).toBe('java · pool 2 · wall, CPU · today 14:02');
    expect(row.tooltip).toContain('async\\-profiler, 10 s');
  });

  it('has a name for its tab that is the same on every day and holds no path', () => {
    expect(recordingTitle(recording)).toBe('java · pool 2 · 14:02');
    expect(recordingTitle({ ...recording, title: 'a/b\\c' })).toBe('a b c · 14:02');
  });

  it('leaves unknown events as other tools call them', () => {
    expect([eventName('wall'), eventName('samples'), eventName('__proto__')]).toEqual(['wall', 'samples', '__proto__']);
  });
});
