import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import { recordedEventOf, withHottest } from '../../../src/engine/diagnose/hottest.ts';
import { explanationOf } from '../../../src/model/domain/diagnosis.ts';
import { actionText } from '../../../src/model/domain/verdict/nextActions.ts';
import { signals } from './exampleSignals.ts';

const full = diagnose(signals({ appCpuPercent: 190 }));
const write = { kind: 'code', share: 0.62, name: 'Json.write', place: 'Json.java:11', callee: 'ObjectMapper.writeValueAsString' } as const;

describe('what a recording shows of a limit', () => {
  it('is named in the verdict, and is what to change first', () => {
    const named = withHottest(full, 'cpu', [write, { kind: 'gc', share: 0.2, name: '', place: '', callee: '' }]);
    expect(explanationOf(named)).toContain(
      'By the recording, 62 % of the app’s CPU time is spent in Json.write (Json.java:11), most of it in ObjectMapper.writeValueAsString, which it calls; 20 % is garbage collection.',
    );
    expect(named.actions.map(actionText)[0]).toBe('Let Json.write (Json.java:11) compute less, or call it less often');
    expect(full.actions.some(({ kind }) => kind === 'record')).toBe(true);
    expect(named.actions.some(({ kind }) => kind === 'record')).toBe(false);
  });

  it('is nothing to change where no function of the app is dominant', () => {
    const named = withHottest(full, 'cpu', [{ ...write, share: 0.15 }]);
    expect(named.why).toHaveLength(full.why.length + 1);
    expect(named.actions.map(({ label: { code } }) => code)).not.toContain('change-hottest');
    expect(withHottest(full, 'cpu', [])).toBe(full);
  });

  it('is looked for only where the app’s CPU or its memory limits', () => {
    expect(recordedEventOf('cpu')).toBe('cpu');
    expect(recordedEventOf('event-loop')).toBe('cpu');
    expect(recordedEventOf('gc')).toBe('alloc');
    expect(recordedEventOf('database-cpu')).toBeNull();
    expect(recordedEventOf('pool-limited')).toBeNull();
  });
});
