import { recorded } from '../support/recorded.ts';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { FromPanel, ToPanel } from '../../src/model/protocol/panel.ts';
import { otherGenerator } from '../../src/engine/diagnose/actions.ts';
import { proxySchema } from '../../src/model/domain/topology.ts';
import { exampleDisturbedRun, exampleTrial } from '../support/runRecords.ts';
import { usePanel } from '../support/usePanel.ts';
import { waitFor } from '../support/waitFor.ts';
import { exampleCatalog, exampleForm, exampleRun } from '../unit/webview/examples.ts';

const form = { ...exampleForm, durationS: '', rounds: '', budget: '2 min' };
const catalog: ToPanel = { type: 'catalog', catalog: exampleCatalog, trusted: true, hasWorkspace: true };

describe('what the form of the Workbench panel asks for beside settings', () => {
  const panel = usePanel();
  let page: Page;

  async function open(...messages: ToPanel[]): Promise<void> {
    page = await panel().open({ type: 'form', form, revision: 1 }, ...messages);
  }
  const send = (message: ToPanel): Promise<void> => panel().send(message);
  const sent = (type: FromPanel['type']): Promise<FromPanel[]> => panel().sent(type);

  it('lets k6 put the load on where there is one, says so beside the figures, and offers it where the own generator was saturated', async () => {
    const plain = { ...form, targets: ['node'], values: { pool: '2' }, budget: '' };
    await open(
      { type: 'form', form: plain, revision: 2 },
      { type: 'catalog', catalog: { ...exampleCatalog, k6Problem: null }, trusted: true, hasWorkspace: true },
      { type: 'runs', runs: [] },
      { type: 'runEvents', events: [], replay: true },
    );
    await page.getByText('More settings').click();
    const inForm = page.locator('benchside-form');
    await inForm.getByRole('combobox', { name: 'Load generator' }).click();
    await inForm.getByRole('option', { name: 'k6 in 2 processes', exact: true }).click();
    await page.getByText('More settings').click();
    await page.getByText('load by k6 in 2 processes').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await waitFor(async () => (await sent('measure')).length === 1, { what: 'a run is started' });
    expect((await sent('measure'))[0]).toMatchObject({ request: { kind: 'run', generator: { kind: 'k6', processes: 2 } } });

    const [first] = exampleRun.trials;
    if (first === undefined) throw new Error('the example has no trial');
    const reason = 'The load generator was saturated (its CPU 95 % of a core, limit 90 %): what was measured is the generator.';
    const diagnosis = {
      kind: 'invalid' as const,
      confident: true,
      said: { code: 'recorded' as const, sentence: `This measurement says nothing of the app: ${reason}` },
      why: [{ code: 'says-nothing-why' as const }],
      tells: recorded(reason),
      evidence: [],
      ruledOut: [],
      actions: [otherGenerator],
      threadDumps: [],
    };
    const environment = { ...exampleRun.environment, generator: 'k6 v2.2.0, 2 processes on this machine' };
    const trials = [2, 4].map((pool) => ({
      ...exampleTrial({ settings: { pool }, valid: false, reasons: [reason] }),
      diagnosis,
    }));
    const run = exampleDisturbedRun({ trials, recommendations: [], valid: false, reasons: recorded(reason), environment });
    await open(catalog, { type: 'runs', runs: [] }, { type: 'run', run }, { type: 'runEvents', events: [], replay: true });
    const card = page.getByRole('region', { name: 'Java', exact: true });
    await card.getByRole('button', { name: 'Let k6 put the load on, in 2 processes' }).click();
    await waitFor(async () => (await sent('takeAction')).length === 1, { what: 'the action is taken' });
    await page.getByRole('tab', { name: 'Raw figures' }).click();
    await page.getByText('k6 v2.2.0, 2 processes on this machine').waitFor();
  });

  it('asks for raw samples and for what stands around the instances, and shows both of the run', async () => {
    const plain = { ...form, targets: ['node'], values: { instances: '2' }, budget: '' };
    await open(
      { type: 'form', form: plain, revision: 2 },
      catalog,
      { type: 'runs', runs: [] },
      { type: 'runEvents', events: [], replay: true },
    );
    await page.getByText('More settings').click();
    const inForm = page.locator('benchside-form');
    await inForm.getByRole('checkbox', { name: 'Keep raw samples' }).click();
    const choose = async (field: string, choice: string): Promise<void> => {
      await inForm.getByRole('combobox', { name: field }).click();
      await inForm.getByRole('option', { name: choice, exact: true }).click();
    };
    await choose('Requests kept', '1 in 10');
    await choose('nginx in front', 'least connections');
    await inForm.getByRole('checkbox', { name: 'Static files' }).click();
    await inForm.getByRole('textbox', { name: 'CPU per process' }).fill('0.5');
    await inForm.getByRole('textbox', { name: 'Total connections' }).fill('16');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await waitFor(async () => (await sent('measure')).length === 1, { what: 'a run is started' });
    const proxy = proxySchema.parse({ balance: 'least-conn', staticFiles: true });
    const topology = { proxy, cpuShare: 0.5, totalConnections: 16 };
    expect((await sent('measure'))[0]).toMatchObject({
      request: { kind: 'run', targets: ['node'], settings: { instances: [2] }, raw: { share: 0.1 }, topology },
    });
    // Remembered by the extension, which gives it back.
    expect((await sent('formChanged')).at(-1)).toMatchObject({
      form: { raw: true, rawShare: '0.1', proxy: 'least-conn', cpuShare: '0.5' },
    });

    const [first, ...others] = exampleRun.trials;
    if (first === undefined) throw new Error('the example has no trial');
    const uses = [412, 395].map((requestsPerSecond) => ({ cpuPercent: 49, rssBytes: 70 * 2 ** 20, requestsPerSecond }));
    const file = { file: 'raw.bin', rows: 10, droppedRows: 0, unfinished: 0, full: false, problem: null, costs: [], proxyLogs: [] };
    const run = {
      ...exampleRun,
      trials: [{ ...first, instances: uses, proxy: { cpuPercent: 3, workers: 1 } }, ...others],
      request: { ...exampleRun.request, topology },
      raw: { share: 0.1, maxRows: 100, timing: true, ...file },
    };
    await send({ type: 'run', run });
    await page.getByRole('button', { name: 'Raw samples…' }).click();
    expect(await sent('queryRawSamples')).toEqual([{ type: 'queryRawSamples', runId: run.id }]);
    await page.getByRole('tab', { name: 'Raw figures' }).click();
    const instances = page.getByRole('region', { name: 'Instances' }).getByRole('row');
    await instances.filter({ hasText: 'instance 2' }).filter({ hasText: '395' }).waitFor();
    expect(await instances.count()).toBe(4);
    await page.getByText('behind nginx (least connections, connections to the instances kept open').waitFor();
    await send({ type: 'run', run: exampleRun });
    await page.getByRole('button', { name: 'Raw samples…' }).waitFor({ state: 'detached' });
  });
});
