import { describe, expect, it } from 'vitest';
import { asyncProfilerEvents, startCommand, timeoutSeconds } from '../../../../src/engine/record/jvm/asyncProfilerCommand.ts';

const where = { maxMs: 10_200, file: '/tmp/x/recording.jfr', log: '/tmp/x/profiler.log', cpuEngine: 'ctimer' } as const;

describe('the command that starts async-profiler', () => {
  it('records everything into one file, ends by itself, and keeps its words out of the application’s output', () => {
    const words = startCommand(asyncProfilerEvents, where).split(',');
    expect(words[0]).toBe('start');
    expect(words.filter((word) => !word.startsWith('trace='))).toEqual([
      'start',
      'event=ctimer',
      'interval=5ms',
      'wall=50ms',
      'alloc=512k',
      'lock=1ms',
      'chunktime=2s',
      'timeout=11',
      'jfr',
      'jfropts=3',
      'log=/tmp/x/profiler.log',
      'file=/tmp/x/recording.jfr',
    ]);
    const traces = words.filter((word) => word.startsWith('trace='));
    expect(traces).toContain('trace=com.zaxxer.hikari.HikariDataSource.getConnection:100us');
    expect(new Set(traces).size).toBe(traces.length);
  });

  it('fits into one argument of an attach command', () => {
    expect(
      startCommand(asyncProfilerEvents, { ...where, file: `/tmp/${'x'.repeat(200)}`, log: `/tmp/${'y'.repeat(200)}` }).length,
    ).toBeLessThan(1024);
  });

  it('asks for nothing that was not asked for', () => {
    const words = startCommand(['alloc'], where).split(',');
    expect(words.some((word) => /^(event|interval|wall|lock|trace)=/.test(word))).toBe(false);
  });

  it('never runs for no time', () => {
    expect([0, 1, 1000, 1001].map(timeoutSeconds)).toEqual([1, 1, 1, 2]);
  });
});
