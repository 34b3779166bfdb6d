import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/model/protocol/runEvent.ts';
import { ProgressLine } from '../../../src/cli/measure.ts';
import { StatusLine } from '../../../src/cli/output.ts';
import { textTable } from '../../../src/cli/textDocument.ts';
import { figureColumn, plainTable, wordColumn } from '../../../src/model/presentation/table.ts';

const clear = '\r\u001b[2K';

function phase(name: string, more: Partial<Extract<RunEvent, { type: 'phase' }>> = {}): RunEvent {
  return {
    type: 'phase',
    runId: 'r',
    phase: 'measure',
    doing: { code: 'starting', name },
    step: 3,
    steps: 9,
    elapsedMs: 1000,
    remainingMs: 65_000,
    ...more,
  };
}

function tick(errors = 0, p99Ms: number | null = 12.34): RunEvent {
  return {
    type: 'tick',
    runId: 'r',
    tick: { timeMs: 1, windowMs: 500, trialKey: 'k', stage: 'measure', throughput: 7940.2, p50Ms: 2, p99Ms, errors },
  };
}

/** A screen of one line, as a terminal shows what is written to it. */
function screen(columns: number): { shown: string; columns: number; write(text: string): boolean } {
  return {
    shown: '',
    columns,
    write(text) {
      this.shown = (this.shown + text).split(clear).at(-1) ?? '';
      return true;
    },
  };
}

describe('the progress of a run on a terminal', () => {
  it('is one line, rewritten: step, phase, what is left, and the live figures', () => {
    const terminal = screen(200);
    const progress = new ProgressLine(new StatusLine(terminal), () => undefined);
    progress.show(phase('node · pool 2'));
    expect(terminal.shown).toBe('[3/9] Starting node · pool 2 · about 1 min 5 s left');
    progress.show(tick());
    expect(terminal.shown).toBe('[3/9] Starting node · pool 2 · about 1 min 5 s left · 7,940 req/s, p99 12.3 ms');
    progress.show(tick(3, null));
    expect(terminal.shown).toContain(' · 7,940 req/s, 3 errors');
    progress.show(phase('node', { remainingMs: 200 }));
    expect(terminal.shown).toBe('[3/9] Starting node');
    progress.clear();
    expect(terminal.shown).toBe('');
  });

  it('is never wider than the terminal', () => {
    const terminal = screen(40);
    new ProgressLine(new StatusLine(terminal), () => undefined).show(phase('x'.repeat(100)));
    expect(terminal.shown).toHaveLength(39);
  });

  it('makes room for a note, which stays', () => {
    const terminal = screen(80);
    const told: string[] = [];
    const progress = new ProgressLine(new StatusLine(terminal), (text) => {
      expect(terminal.shown).toBe('');
      told.push(text);
    });
    progress.show(phase('Measuring'));
    progress.show({ type: 'note', runId: 'r', note: { code: 'variants-unrecorded', about: 'N1' } });
    expect(told).toEqual([expect.stringMatching(/^N1: The variants were not recorded/)]);
  });

  it('is a line for each phase where there is no terminal, and no figures between', () => {
    const told: string[] = [];
    const progress = new ProgressLine(null, (text) => told.push(text));
    progress.show(phase('a'));
    progress.show(tick());
    progress.show(phase('a', { remainingMs: 10 }));
    progress.show(phase('b'));
    progress.clear();
    expect(told).toEqual(['[3/9] Starting a', '[3/9] Starting b']);
  });
});

describe('a table on a terminal', () => {
  it('pads words to the left and figures to the right, and ends no line with blanks', () => {
    const text = textTable(
      plainTable(
        [wordColumn('trial', 'Trial'), figureColumn('rate', 'req/s'), wordColumn('note', 'Note')],
        [['node · pool 16', '7,940', ''], ['java', '12', 'invalid'], ['short']],
      ),
    );
    expect(text).toBe(
      [
        'Trial           req/s  Note',
        '──────────────────────────────',
        'node · pool 16  7,940',
        'java               12  invalid',
        'short',
      ].join('\n'),
    );
  });
});
