import { describe, expect, it } from 'vitest';
import { prometheusText } from '../../../src/model/presentation/documents/prometheusText.ts';
import { exampleRun, exampleTrial } from '../../support/runRecords.ts';

/** The lines of a text as Prometheus reads them: name, labels, value. Fails on a line that it would refuse. */
function read(text: string): { name: string; labels: Record<string, string>; value: number }[] {
  const types = new Map<string, string>();
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [, declared, type] = /^# TYPE ([a-zA-Z_:][\w:]*) (\w+)$/.exec(line) ?? [];
      if (declared !== undefined) {
        expect(types.has(declared), `${declared} is declared once`).toBe(false);
        types.set(declared, type ?? '');
        return [];
      }
      if (line.startsWith('# HELP ')) return [];
      const [, name = '', inner = '', value = ''] = /^([a-zA-Z_:][\w:]*)\{(.*)\} (\S+)$/.exec(line) ?? [];
      expect(types.get(name), line).toBe('gauge');
      const labels = [...inner.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/g)];
      expect(labels.map(([whole]) => whole).join('')).toBe(inner);
      return [{ name, labels: Object.fromEntries(labels.map(([, label = '', said = '']) => [label, said])), value: Number(value) }];
    });
}

const run = exampleRun({
  title: 'a "shop" \\ of\nmine',
  trials: [
    exampleTrial({ settings: { pool: 2, 'work-mem': '4MB' }, p99Ms: 40, throughput: 25 }),
    exampleTrial({ settings: { pool: 8 }, p99Ms: 10, throughput: 60 }),
  ],
});

describe('a run as Prometheus’ text', () => {
  it('has each metric once, with a line for each trial and the settings as labels', () => {
    const found = read(prometheusText(run));
    const throughput = found.filter(({ name }) => name === 'benchside_throughput_requests_per_second');
    expect(throughput.map(({ labels, value }) => [labels['setting_pool'], labels['setting_work_mem'], value])).toEqual([
      ['2', '4MB', run.trials[0]?.throughput.mean],
      ['8', undefined, run.trials[1]?.throughput.mean],
    ]);
    expect(found.find(({ name, labels }) => name === 'benchside_latency_seconds' && labels['quantile'] === '0.99')?.value).toBeCloseTo(
      0.04,
    );
    expect(new Set(found.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`)).size).toBe(found.length);
  });

  it('holds names of anybody as labels, and leaves out what is not known', () => {
    const text = prometheusText(run);
    expect(read(text).find(({ name }) => name === 'benchside_run_info')?.labels['title']).toBe('a \\"shop\\" \\\\ of\\nmine');
    expect(text).not.toMatch(/ (null|undefined|NaN)$/m);
    const unmeasured = { ...run, trials: run.trials.map((trial) => ({ ...trial, latencyMs: null })) };
    expect(prometheusText(unmeasured)).not.toContain('benchside_latency_seconds');
  });
});
