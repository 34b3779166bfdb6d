import { recorded } from '../support/recorded.ts';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { RoundKind } from '../../src/model/domain/progress/roundKinds.ts';
import type { Stage } from '../../src/model/domain/progress/stageKinds.ts';
import type { Step } from '../../src/model/domain/progress/stepKinds.ts';
import type { FromPanel, ToPanel } from '../../src/model/protocol/panel.ts';
import { summarizeRun } from '../../src/engine/runs/summarizeRun.ts';
import { exampleDisturbedRun, exampleTrial } from '../support/runRecords.ts';
import { usePanel } from '../support/usePanel.ts';
import { waitFor } from '../support/waitFor.ts';
import { exampleCatalog, exampleForm, exampleRun } from '../unit/webview/examples.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const form = { ...exampleForm, durationS: '', rounds: '', budget: '2 min' };
const catalog: ToPanel = { type: 'catalog', catalog: exampleCatalog, trusted: true, hasWorkspace: true };
const chosen: ToPanel = { type: 'form', form, revision: 1 };

describe('the Workbench panel in Chromium, under the policy of the editor', () => {
  const panel = usePanel();
  let page: Page;

  async function open(...messages: ToPanel[]): Promise<void> {
    page = await panel().open(chosen, ...messages);
  }
  const send = (message: ToPanel): Promise<void> => panel().send(message);
  const sent = (type: FromPanel['type']): Promise<FromPanel[]> => panel().sent(type);

  it('loads the code of a view when it is first looked at, and the form without any of it', async () => {
    await open(catalog, { type: 'runs', runs: [] }, { type: 'runEvents', events: [], replay: true });
    await page.getByText('No run yet.').waitFor();
    const before = panel().asked.length;
    await page.getByRole('tab', { name: 'Raw figures' }).click();
    await page.getByRole('tab', { name: 'Live' }).click();
    await page.getByText('Nothing is under load.').waitFor();
    expect(panel().asked.length).toBeGreaterThan(before);
    await page.getByRole('tab', { name: 'Compare', exact: true }).click();
    await page.getByText('There is nothing to compare yet.').waitFor();
    await page.getByRole('button', { name: 'Set Up a Run' }).click();
    await page.getByText('No run yet.').waitFor();
    expect(panel().asked.every((name) => /^workbench(-[A-Z0-9]+)?\.(js|css)$/.test(name))).toBe(true);
  });

  it('says at the same height in every tab what is to be seen there, with one button', async () => {
    await open(
      catalog,
      { type: 'runs', runs: [] },
      { type: 'advice', list: [], record: null },
      { type: 'runEvents', events: [], replay: true },
    );
    const tops: number[] = [];
    for (const name of ['What would help', 'Compare', 'Compare code', 'Flame graph', 'Raw figures']) {
      await page.getByRole('tab', { name, exact: true }).click();
      const heading = page.getByRole('tabpanel').getByRole('heading', { level: 2 });
      await heading.waitFor();
      tops.push((await heading.boundingBox())?.y ?? -1);
      expect(await page.getByRole('tabpanel').getByRole('button').count()).toBe(1);
    }
    expect(new Set(tops).size).toBe(1);
  });

  it('says so where the code of a view cannot be loaded', slowHalf, async () => {
    await open(catalog, { type: 'runs', runs: [] }, { type: 'runEvents', events: [], replay: true });
    await page.getByText('No run yet.').waitFor();
    await page.route('**/workbench-*.js', (route) => route.abort());
    await page.getByRole('tab', { name: 'Live' }).click();
    await page.getByText('This view could not be loaded.').waitFor();
  });

  it('shows the last column of a wide table whole, beside what can be done with a row', slowHalf, async () => {
    await open(catalog, { type: 'runs', runs: [] }, { type: 'run', run: exampleDisturbedRun() });
    const seen = await page.locator('benchside-figures').evaluate((table) => {
      const cells = [...(table.shadowRoot?.querySelectorAll('tbody tr:first-child td') ?? [])].map((cell) => cell.getBoundingClientRect());
      const scroller = table.shadowRoot?.querySelector('.scroller');
      const [last, actions] = cells.slice(-2);
      return {
        beside: (last?.right ?? 1e9) <= (actions?.left ?? 0) + 1,
        hidden: (scroller?.scrollWidth ?? 1e9) - (scroller?.clientWidth ?? 0),
      };
    });
    expect(seen.beside).toBe(true);
    expect(seen.hidden).toBeLessThanOrEqual(1);
  });

  it('says once how sure it is, and shows in amber that an interval is wider than was asked for', slowHalf, async () => {
    const [first, ...others] = exampleRun.recommendations;
    if (first === undefined) throw new Error('the example recommends nothing');
    const undecided = { ...first, status: 'undecided' as const, facts: { code: 'recorded' as const, sentence: 'Most likely pool size 8' } };
    const wide = exampleRun.trials.map((trial) =>
      trial.key === first.trialKey ? { ...trial, throughput: { ...trial.throughput, ciLow: trial.throughput.mean * 0.8 } } : trial,
    );
    await open(
      catalog,
      { type: 'runs', runs: [] },
      { type: 'run', run: { ...exampleRun, trials: wide, recommendations: [undecided, ...others] } },
    );
    const card = page.locator('benchside-cards .cards > *').first();
    await card.getByText('Most likely pool size 8').waitFor();
    expect((await card.innerText()).match(/only seen|can’t tell/gi)).toHaveLength(1);
    expect(await card.locator('.width').innerText()).toMatch(/^±1\d %, wider than ±5 %$/);
    expect(await card.innerText()).toMatch(/req\/s/);
  });

  it('begins with the answer within 120 px beside code, where the views are one drop-down and every control has a name', async () => {
    await open(catalog, { type: 'runs', runs: [] }, { type: 'run', run: exampleRun });
    await page.setViewportSize({ width: 520, height: 900 });
    const card = page.locator('benchside-cards .cards > *').first();
    expect((await card.boundingBox())?.y).toBeLessThanOrEqual(120);
    const { nodes } = await (await page.context().newCDPSession(page)).send('Accessibility.getFullAXTree');
    const controls = nodes.filter(({ ignored, role }) => !ignored && ['button', 'combobox', 'link', 'tab'].includes(String(role?.value)));
    expect(controls.length).toBeGreaterThan(5);
    expect(controls.filter(({ name }) => String(name?.value ?? '').trim() === '')).toEqual([]);
    await page.getByRole('combobox', { name: 'View' }).selectOption({ label: 'Raw figures' });
    await page.locator('benchside-raw').waitFor();
    await page.getByRole('button', { name: 'More' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Export as Markdown' }).press('Enter');
    await waitFor(async () => (await sent('exportReport')).length === 1, { what: 'the report is asked for' });
  });

  it('cuts nothing of what was measured, and breaks no chip, in a column of 375 px', async () => {
    await open(
      catalog,
      { type: 'runs', runs: [] },
      { type: 'run', run: exampleDisturbedRun() },
      { type: 'runEvents', events: [], replay: true },
    );
    await page.setViewportSize({ width: 375, height: 900 });
    const said = page.locator('.runLine .said');
    await said.waitFor();
    expect(await said.evaluate((words) => words.scrollHeight - words.clientHeight)).toBeLessThanOrEqual(1);
    const again = await page.locator('.runLine').getByRole('button', { name: 'Run again' }).boundingBox();
    const words = await said.boundingBox();
    expect(again?.y ?? 0).toBeGreaterThanOrEqual((words?.y ?? 1e9) + (words?.height ?? 0));
    const chips = await page
      .locator('benchside-header .badge')
      .evaluateAll((all) => all.map((chip) => chip.getBoundingClientRect().height));
    expect(chips).toHaveLength(2);
    expect(Math.max(...chips)).toBeLessThan(26);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  });

  it('starts a search, shows its answer while it grows, and applies it', async () => {
    await open(catalog, { type: 'runs', runs: [] }, { type: 'runEvents', events: [], replay: true });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await waitFor(async () => (await sent('measure')).length === 1, { what: 'a search is started' });
    expect((await sent('measure'))[0]).toMatchObject({
      request: { kind: 'tune', settings: { pool: [2, 4, 8] }, budgetS: 120, connections: 32 },
    });

    const runId = exampleRun.id;
    const trials = exampleRun.trials.slice(0, 5);
    const answer = answerFor(trials.map((trial) => trial.key));
    const round: RoundKind = { code: 'search', target: null, round: 3, values: ['4', '8', '16'], count: 4, best: true };
    const doing: Stage = { code: 'round', round, name: null, route: null };
    await send({
      type: 'runEvents',
      replay: false,
      events: [
        { type: 'started', runId, title: 'Pool size, Java', trials },
        { type: 'tuning', runId, doing, spentS: 48, budgetS: 120, answers: [{ ...answer, status: 'plausible' }] },
      ],
    });
    await page.getByText('Round 3: 4, 8 and 16 against the best').first().waitFor();
    await page.getByText('So far: likely').waitFor();
    expect(await page.getByRole('button', { name: 'Apply to Java' }).count()).toBe(0);

    const request = {
      targets: ['java'],
      settings: { pool: [2, 4, 8] },
      load: 'steady',
      budgetS: 120,
      delta: 0.05,
      mode: 'auto' as const,
      confirm: false,
    };
    const result = {
      kind: 'tune' as const,
      request,
      spentS: 111,
      stage: { code: 'ended' as const, decided: true, rounds: 6 },
      probeCost: null,
      answers: [answer],
    };
    const run = { ...exampleRun, trials, result };
    await send({
      type: 'runEvents',
      replay: false,
      events: [{ type: 'finished', runId, outcome: 'complete', stored: true, failure: null }],
    });
    await send({ type: 'run', run });
    await page.getByRole('button', { name: 'Apply to Java' }).click();
    expect((await sent('applySettings'))[0]).toEqual({ type: 'applySettings', target: 'java', values: { pool: 8 }, runId });
    await send({ type: 'applied', target: 'java', values: { pool: 8 } });
    await page.getByRole('button', { name: 'Applied: pool 8' }).waitFor();

    const row = page.locator('benchside-figures tbody tr').nth(1);
    await row.getByRole('button', { name: 'Run again…' }).click();
    await page.keyboard.press('Enter');
    await waitFor(async () => (await sent('measure')).length === 2, { what: 'the row runs again after two presses' });
    expect((await sent('measure'))[1]).toMatchObject({
      request: { kind: 'run', targets: ['java'], settings: { pool: [4] }, connections: [32] },
    });
    await row.getByRole('button', { name: 'Compare with best' }).click();
    expect((await sent('compare'))[0]).toEqual({ type: 'compare', a: runId, b: runId, trialA: trials[3]?.key, trialB: trials[1]?.key });
  });

  it(
    'compares the run that has just ended with the one before it, also when its list comes after Compare was opened',
    longTest,
    async () => {
      const [older, newer] = [exampleRun, { ...exampleRun, id: 'mb2k9x1b-0123456789abcdef01234567' }];
      await open(catalog, { type: 'runs', runs: [summarizeRun(older)] }, { type: 'run', run: older });
      await page.getByRole('tab', { name: 'Compare', exact: true }).click();
      await page.getByText('Choose two runs, or two settings of one run.').waitFor();
      expect(await sent('compare')).toEqual([]);
      await send({ type: 'runs', runs: [summarizeRun(newer), summarizeRun(older)] });
      await waitFor(async () => (await sent('compare')).length > 0, { what: 'the pair is asked for' });
      expect(await sent('compare')).toEqual([{ type: 'compare', a: older.id, b: newer.id }]);
    },
  );

  it('leads from the chip of a disturbed run to the strip of its interference, by keyboard and from another view', longTest, async () => {
    const run = exampleDisturbedRun();
    await open(catalog, { type: 'runs', runs: [] }, { type: 'run', run }, { type: 'runEvents', events: [], replay: true });
    await page.getByRole('tab', { name: 'Raw figures' }).click();
    await page.getByRole('button', { name: 'interference: 19 % of the CPU' }).focus();
    await page.keyboard.press('Enter');
    const strip = page.getByRole('region', { name: 'Interference over the run' });
    await strip.waitFor();
    await waitFor(() => strip.evaluate((section) => section.matches(':focus')), { what: 'the strip has the focus' });
    expect(await page.getByRole('tab', { name: 'Tune' }).getAttribute('aria-selected')).toBe('true');
    await strip
      .getByRole('img', { name: /^Interference over the run\. On average interference took 19 % of the CPU, .* 1 block was discarded/ })
      .waitFor();
    // One bar for each block in either shade, and a hatched one.
    expect(await strip.locator('.drawing g[fill^="url("] rect').count()).toBe(1);
    expect(await strip.locator('.spot').count()).toBe(24);
  });

  it('shows both kinds of evidence of an answer, says where they disagree, and runs for as long as would decide', slowHalf, async () => {
    const run = exampleDisturbedRun();
    await open(catalog, { type: 'runs', runs: [] }, { type: 'run', run }, { type: 'runEvents', events: [], replay: true });
    const java = page.getByRole('region', { name: 'Java', exact: true });
    const node = page.getByRole('region', { name: 'Node', exact: true });
    await java.getByText('while interference took 24 % of the CPU').waitFor();
    const said = (await java.locator('.answerEvidence dt').allTextContents()).map((text) => text.trim());
    expect(said).toEqual(['Figures, for it:', 'Mechanism, for it:']);
    expect(await java.getByText('disagree').count()).toBe(0);
    await node.getByText('The two kinds of evidence disagree').waitFor();
    expect(await page.getByText('not valid').count()).toBe(0);
    await node.getByRole('button', { name: 'Run 40 s more' }).click();
    // 106.5 s were measured in three rounds: the same once more, for 38 s longer, and without the number of rounds.
    const [asked] = await sent('measure');
    expect(asked).toMatchObject({ request: { kind: 'run', targets: ['java', 'node'], budgetS: 146 } });
    expect(asked).not.toHaveProperty('request.rounds');
  });

  it('has one reason and a next step for a run of which nothing counts', longTest, async () => {
    const reasons = ['The load generator was saturated in round 1.', 'The load generator was saturated in round 2.'];
    const trials = reasons.map((reason, index) => exampleTrial({ settings: { pool: 2 + index }, valid: false, reasons: recorded(reason) }));
    const run = exampleDisturbedRun({ trials, recommendations: [], valid: false, reasons: recorded(...reasons) });
    await open(catalog, { type: 'runs', runs: [] }, { type: 'run', run }, { type: 'runEvents', events: [], replay: true });
    const card = page.getByRole('region', { name: 'Java', exact: true });
    await card.getByRole('heading', { name: 'Something else was measured' }).waitFor();
    expect(await card.innerText()).not.toContain('round 2');
    await card.getByRole('button', { name: 'Run again' }).click();
    expect((await sent('measure'))[0]).toMatchObject({ request: { kind: 'run', settings: { pool: [2, 4, 8, 16] } } });
  });

  it('has a page of its own for a route that fails, with three ways on, by keyboard too', longTest, async () => {
    await open(catalog, { type: 'runs', runs: [] }, { type: 'runEvents', events: [], replay: true });
    const answered = (route: string, status: number, problem: string | null) => ({ route, status, tookMs: 4, problem, hints: [] });
    const routes = {
      target: 'java',
      targetLabel: 'Java',
      failing: 'GET /orders/:id',
      asked: '/orders/7',
      answer: 'HTTP 500\n\nno column',
      log: 'error: no column',
      routes: [answered('GET /orders', 200, null), answered('GET /orders/:id', 500, 'was answered with 500')],
    };
    const failure = { code: 'route-fails' as const, message: 'Java: GET /orders/:id was answered with 500.', cure: 'Mend it.', routes };
    const runId = exampleRun.id;
    await send({
      type: 'runEvents',
      replay: false,
      events: [
        { type: 'started', runId, title: 'Pool size', trials: exampleRun.trials },
        { type: 'finished', runId, outcome: 'failed', stored: false, failure },
      ],
    });
    await send({ type: 'failure', failure });
    await page.getByRole('heading', { name: 'Java: GET /orders/:id answers 500' }).waitFor();
    // Told once, on the page; for a screen reader once more by the line that reports changes.
    expect(await page.locator('.message').filter({ hasText: 'Mend it.' }).count()).toBe(0);
    expect(await page.getByRole('heading', { name: /answers 500/ }).count()).toBe(1);
    await page.getByText('no column').first().waitFor();
    await page.getByRole('button', { name: 'Show Output' }).click();
    expect(await sent('actOnFailure')).toEqual([{ type: 'actOnFailure', action: 'show-output', target: 'java' }]);
    await page.getByRole('button', { name: 'Leave This Route Out' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Run Anyway' }).click();
    expect(await sent('measureAgain')).toEqual([
      { type: 'measureAgain', leaveOut: ['GET /orders/:id'], ask: 1 },
      { type: 'measureAgain', askRoutes: false, ask: 2 },
    ]);
  });

  it('leads from a tab that needs a run to the one that is being measured, and tells its time as a range', longTest, async () => {
    const runId = exampleRun.id;
    await open(catalog, { type: 'runs', runs: [] }, { type: 'runEvents', events: [], replay: true });
    await page.getByRole('tab', { name: 'Flame graph' }).click();
    await page.getByRole('button', { name: 'Set Up a Run' }).waitFor();
    await send({
      type: 'runEvents',
      replay: false,
      events: [
        { type: 'started', runId, title: 'Pool size', trials: exampleRun.trials },
        {
          type: 'phase',
          runId,
          phase: 'measure',
          doing: { code: 'starting-postgres' },
          step: 1,
          steps: 9,
          elapsedMs: 20_000,
          remainingMs: 80_000,
          surelyMs: 30_000,
        },
      ],
    });
    await page.getByText(/\d+ s to 1 min \d+ s left/).waitFor();
    const share = (part: string): Promise<number> =>
      page
        .locator(`benchside-status .${part}`)
        .evaluate((element) => element.getBoundingClientRect().width / (element.parentElement?.getBoundingClientRect().width ?? 1));
    expect(await share('done')).toBeCloseTo(0.2, 1);
    expect(await share('perhaps')).toBeCloseTo(0.5, 1);
    await page.getByRole('tab', { name: 'Flame graph' }).click();
    await page.getByText('“Pool size” is being measured.').waitFor();
    await page.getByRole('button', { name: 'Show It' }).click();
    expect(await page.getByRole('tab', { name: 'Tune' }).getAttribute('aria-selected')).toBe('true');
  });

  it('says in full what is open while it measures', slowHalf, async () => {
    const values = Array.from({ length: 60 }, (_, index) => String(index + 1));
    const round: RoundKind = { code: 'added', round: 3, open: [{ target: null, values }] };
    const doing: Step = { code: 'measuring', name: 'java · pool 16', round };
    const runId = exampleRun.id;
    await open(catalog, { type: 'runs', runs: [] }, { type: 'runEvents', events: [], replay: true });
    await send({
      type: 'runEvents',
      replay: false,
      events: [
        { type: 'started', runId, title: 'Pool size', trials: exampleRun.trials },
        { type: 'phase', runId, phase: 'measure', doing, step: 3, steps: 9, elapsedMs: 40_000, remainingMs: 41_000 },
      ],
    });
    const line = page.locator('benchside-status .message');
    await line.getByText('still open').waitFor();
    expect(await line.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    expect(await line.evaluate((element) => getComputedStyle(element).textOverflow)).not.toBe('ellipsis');
  });

  it('sends the last value of a slider that is moved quickly, and shows what is in force', slowHalf, async () => {
    await open(catalog, { type: 'runs', runs: [] }, { type: 'runEvents', events: [], replay: true });
    await page.getByRole('tab', { name: 'Live' }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    expect((await sent('startLive'))[0]).toMatchObject({ request: { target: 'java', settings: {} } });
    const control = { setting: 'pool', label: 'Pool size', unit: null, min: 1, max: 256, value: 4, problem: null };
    const fixed = { ...control, setting: 'threads', label: 'Thread pool', problem: { code: 'not-live' as const } };
    await send({
      type: 'liveEvents',
      replay: false,
      events: [
        { type: 'running', target: 'java', targetLabel: 'Java', controls: [control, fixed], connections: 32, routes: [], notes: [] },
      ],
    });
    await page.getByText('It takes effect at the start of the app only.').waitFor();
    expect(await page.getByRole('slider', { name: 'Thread pool, slider' }).isDisabled()).toBe(true);
    const slider = page.getByRole('slider', { name: 'Pool size, slider' });
    await slider.focus();
    // All within one turn of the page: on a busy machine a browser's own key strokes come further apart than the slider waits.
    await slider.evaluate(
      (input, keys) => {
        for (const key of keys) input.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      },
      ['ArrowRight', 'ArrowRight', 'PageUp', 'ArrowLeft'],
    );
    await waitFor(async () => (await sent('setLive')).length > 0, { what: 'a value is sent' });
    expect(await sent('setLive')).toEqual([{ type: 'setLive', setting: 'pool', value: 11 }]);
    await page.getByText('4 → 11, being applied…').waitFor();
    await send({
      type: 'liveEvents',
      replay: false,
      events: [{ type: 'change', change: { timeMs: 4000, setting: 'pool', from: 4, to: 11, ok: true, effectiveMs: 300, message: null } }],
    });
    await page.getByText('11 is in force').waitFor();
    await page.getByRole('spinbutton', { name: 'Pool size' }).fill('9999');
    await page.keyboard.press('Enter');
    await waitFor(async () => (await sent('setLive')).length === 2, { what: 'the typed value is sent' });
    expect((await sent('setLive'))[1]).toMatchObject({ value: 256 });
    await page.getByRole('button', { name: 'Stop' }).click();
    expect(await sent('stopLive')).toHaveLength(1);
  });
});

function answerFor(keys: readonly string[]) {
  const sizes = [2, 4, 8, 16, 32];
  return {
    target: 'java',
    targetLabel: 'Java',
    mode: 'live' as const,
    modeReasons: [],
    settingNames: ['pool'],
    settingLabels: { pool: 'Pool size' },
    status: 'confirmed' as const,
    evidence: [],
    values: { pool: 8 },
    plausible: [8, 8] as [number, number],
    best: { values: { pool: 16 }, throughput: 8260 },
    facts: { code: 'recorded' as const, sentence: 'Use pool size 8' },
    why: [{ code: 'recorded' as const, sentence: 'It is the smallest proven within 5 % of the best (16).' }],
    moreSeconds: null,
    noiseFloorPercent: 2.6,
    holdMs: 1,
    openRate: null,
    settings: keys.map((trialKey, index) => ({
      trialKey,
      values: { pool: sizes[index] ?? 1 },
      throughput: { mean: 8000, ciLow: 7900, ciHigh: 8100 },
      ratioToBest: null,
      openLoop: null,
      predicted: null,
      blocks: 6,
      valid: true,
      reasons: [],
    })),
    gates: [],
    confirmation: null,
    where: [],
  };
}
