import { describe, expect, it } from 'vitest';
import { htmlReport } from '../../../src/engine/report/htmlReport.ts';
import { markdownReport } from '../../../src/engine/report/markdownReport.ts';
import { repeatCommand } from '../../../src/model/presentation/repeatCommand.ts';
import { exampleRun } from '../../support/runRecords.ts';
import { exampleDiagnosis, exampleExperiment, exampleTimeExperiment } from '../../support/experimentRecords.ts';

const { record, trials } = exampleExperiment();
const run = exampleRun({ trials, recommendations: [], result: record });
const hostile = '<img src=x onerror=alert(1)>|`';

describe('the report of a published experiment', () => {
  it('says whether it agrees and puts published beside measured, as HTML', () => {
    const html = htmlReport(run);
    expect(html).toContain('Agrees with the publication');
    expect(html).toMatch(/<h2>Published<\/h2>[\s\S]*3,506[\s\S]*<h2>Measured here<\/h2>[\s\S]*404 ± 8/);
    expect(html).toContain('Why it may not agree today');
    expect(html).toContain('there is a queue in front of a fixed-size resource');
  });
  it('says the same as Markdown', () => {
    const text = markdownReport(run);
    expect(text).toContain('**Agrees with the publication (');
    expect(text).toContain('| 150 | 3,506 | 42 |');
    expect(text).toMatch(/\| 150 \| 404 ± 8 \|/);
    expect(text).toContain('- Agrees: Throughput stays within 2.2 %');
  });
  it('has the tables of success and of steps, with Welch’s p beside our interval', () => {
    const time = exampleTimeExperiment();
    const text = markdownReport(exampleRun({ trials: time.trials, recommendations: [], result: time.record }));
    expect(text).toMatch(/\| requests\/s \| 117 \| 512 \| \\?\+338 % \| 4\.1 – 4\.6 times \| .*0\.001 \| success \|/);
    expect(text).toContain('There was no cookie');
    expect(text).toMatch(/\*\*Node: time until throughput was steady again is 6\.4 s .*\(only seen\)/);
  });
  it('is repeated by its id', () => {
    expect(repeatCommand(run)).toBe('benchside experiment C1');
    expect(repeatCommand(exampleRun({ result: { ...record, form: 'full' } }))).toBe('benchside experiment C1 --full');
  });
  it('shows names as text only', () => {
    const result = { ...record, summary: hostile, experiment: { ...record.experiment, asks: hostile, notToday: hostile } };
    const named = exampleRun({ trials, recommendations: [], result });
    expect(htmlReport(named)).not.toContain('<img');
    expect(markdownReport(named)).not.toMatch(/(?<!\\)<img/);
  });
});

describe('verdicts in a report', () => {
  const [first, ...others] = exampleRun().trials;
  const diagnosed = (diagnosis = exampleDiagnosis()): ReturnType<typeof exampleRun> =>
    exampleRun({ trials: first ? [{ ...first, diagnosis }, ...others] : [] });

  it('stand with their evidence and with what to do next', () => {
    const html = htmlReport(diagnosed());
    expect(html).toMatch(/What limits it[\s\S]*Java · pool 2:<\/b> The outbound client pool is the limit/);
    expect(html).toContain('connections of the client pool in use: 2.0 of 2 (≥ 95 %, utilisation law, USE method)');
    expect(html).toContain('Run again with 150 client connections');
    expect(markdownReport(diagnosed())).toContain('What limits it:');
  });
  it('say when they cannot be sure', () => {
    expect(htmlReport(diagnosed(exampleDiagnosis({ confident: false })))).toContain('Can’t be sure.');
    expect(htmlReport(diagnosed())).not.toContain('Can’t be sure.');
  });
  it('are not there where nothing is known', () => {
    expect(htmlReport(exampleRun())).not.toContain('What limits it');
    expect(markdownReport(exampleRun())).not.toContain('What limits it');
  });
  it('show hostile evidence as text', () => {
    const evidence = [{ what: hostile, value: hostile, threshold: null, met: true, source: null }];
    expect(htmlReport(diagnosed(exampleDiagnosis({ headline: hostile, evidence })))).not.toContain('<img');
  });
});
