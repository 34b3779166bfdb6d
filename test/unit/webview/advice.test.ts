import { describe, expect, it } from 'vitest';
import { type AdviceProgress, advicePhrase, adviceProgressSchema, summaryOfAdvice } from '../../../src/model/domain/adviceRecord.ts';
import type { Tried } from '../../../src/model/domain/advice.ts';
import type { ToPanel } from '../../../src/model/protocol/panel.ts';
import { adviceAnswerOf, adviceRows } from '../../../webview/advice/adviceRows.ts';
import { asking } from '../../../webview/workbench/askedAgain.ts';
import { announcement } from '../../../webview/workbench/announcement.ts';
import { panelHead } from '../../../webview/workbench/panelHead.ts';
import {
  type PanelState,
  initialState,
  reduceMessage,
  firstState,
  readSavedState,
  toSavedState,
} from '../../../webview/workbench/panelState.ts';
import { advice, cheaper, exampleAdvice, heap, index, pool, slower, together } from '../../support/adviceRecords.ts';
import { trialWith } from './examples.ts';

const settings = new Set(['pool']);
const record = exampleAdvice();
const told = (more: Partial<AdviceProgress> = {}): ToPanel => ({
  type: 'adviceProgress',
  progress: adviceProgressSchema.parse({
    target: 'shop',
    targetLabel: 'Shop',
    stage: 'look',
    trying: [],
    spentS: 0,
    budgetS: 300,
    advice: null,
    ...more,
  }),
  replay: false,
});
const over: ToPanel = { type: 'adviceProgress', progress: null, replay: false };
const found: ToPanel = { type: 'advice', list: [summaryOfAdvice(record)], record };
const runId = 'mi8k9999-00112233445566778899aabb';
const started: ToPanel = {
  type: 'runEvents',
  events: [{ type: 'started', runId, title: 'Shop', trials: [trialWith({ key: 'a' })] }],
  replay: false,
};
const ended: ToPanel = {
  type: 'runEvents',
  events: [{ type: 'finished', runId, outcome: 'complete', stored: true, failure: null }],
  replay: false,
};
const after = (...messages: ToPanel[]): PanelState => messages.reduce(reduceMessage, initialState(firstState));

describe('the page of what would help', () => {
  it('is shown when a search begins, and its runs leave it there', () => {
    const state = after(told(), started);
    expect(state.view).toBe('advise');
    expect(panelHead(state, new Date())).toMatchObject({ heading: 'What would help? Shop', subtitle: 'running now' });
  });

  it('takes nobody away from another view in the middle of a search', () => {
    const state = [told({ stage: 'screen' }), started].reduce(reduceMessage, {
      ...after(told(), started, ended),
      view: 'compare' as const,
    });
    expect(state.view).toBe('compare');
  });

  it('is left to who finds it under way in a page that was loaded again', () => {
    const state = [{ ...told(), replay: true } as ToPanel].reduce(reduceMessage, { ...after(), view: 'compare' as const });
    expect(state).toMatchObject({ view: 'compare', advice: { progress: { stage: 'look' } } });
  });

  it('has the answer when the search is over, and no run in progress is left of it', () => {
    const state = after(told(), started, ended, found, over);
    expect(state.advice).toMatchObject({ progress: null, record: { id: record.id } });
    expect(state.progress).toBeNull();
  });

  it('says in the list what was found, and that a search was cancelled before anything was measured', () => {
    expect(advicePhrase(summaryOfAdvice(record))).toBe('Shop: index ads (seller) and pool=<b>4 help');
    const none = exampleAdvice({ outcome: 'cancelled', advice: { ...advice, tried: [], together: null } });
    expect(advicePhrase(summaryOfAdvice(none))).toBe('Shop: nothing was measured (cancelled)');
  });

  it('leaves a run that begins afterwards to the view of runs', () => {
    expect(after(told(), over, started).view).toBe('tune');
  });

  it('waits once it was asked for, until the search begins', () => {
    const waiting = asking(after(), { type: 'whatWouldHelp' });
    expect(waiting.starting).toBe(true);
    expect(reduceMessage(waiting, told()).starting).toBe(false);
  });

  it('shows the same advice after it was loaded again', () => {
    const saved = readSavedState(JSON.parse(JSON.stringify(toSavedState(after(found), 0, false))));
    expect(initialState(saved).advice.awaited).toBe(record.id);
    expect(readSavedState({ ...firstState, shownAdviceId: undefined })).toEqual(firstState);
  });

  it('is announced: what is tried now, and what was found', () => {
    const next = told({ stage: 'sure', trying: ['pool=4'] });
    expect(announcement(after(told()), after(told(), next), next)).toBe('Measuring what is ahead: pool=4');
    expect(announcement(after(), after(found), found)).toContain('index ads (seller) helps most');
    // The phases of its runs are not read out besides.
    expect(announcement(after(told()), after(told(), started), started)).toBeNull();
  });
});

describe('what was tried, on the page', () => {
  it('stands in groups, the useful first and in sight, what did nothing folded but there', () => {
    const { groups } = adviceRows({ ...advice, tried: [...advice.tried, slower] }, settings);
    expect(groups.map(({ id, fold, rows }) => [id, fold, rows.map(({ name }) => name)])).toEqual([
      ['helps', false, ['Together', index.id, pool.id]],
      ['slower', true, [slower.id]],
      ['nothing', true, [heap.id]],
    ]);
  });

  it('has what is the same for less in sight, with what it saves and how to have it', () => {
    const { groups } = adviceRows({ tried: [cheaper, heap], together: null }, settings);
    expect(groups.map(({ id, fold }) => [id, fold])).toEqual([
      ['cheaper', false],
      ['nothing', true],
    ]);
    expect(groups[0]?.rows[0]).toMatchObject({ about: 'connections 10 → 2', answer: '', costs: '', ways: { values: { pool: 2 } } });
    const found = exampleAdvice({ advice: { ...advice, tried: [cheaper], together: null } });
    expect(adviceAnswerOf(found.advice, settings)).toMatchObject({
      title: 'Nothing that was tried helps: of one change none has more throughput beyond chance.',
      figures: 'pool=2 gives the same within ±5 % for less: connections 10 → 2.',
    });
    expect(advicePhrase(summaryOfAdvice(found))).toBe('Shop: nothing of 1 changes helps; pool=2 costs less');
  });

  it('is unfolded where nothing helps', () => {
    expect(adviceRows({ tried: [heap], together: null }, settings).groups.map(({ fold }) => fold)).toEqual([false]);
  });

  it('is advised only where it was measured, is better and answers the same', () => {
    const otherwise = { ...pool, id: 'pool=8', answersDiffer: true };
    const { groups } = adviceRows({ tried: [pool, heap, slower, otherwise], together: null }, settings);
    const advised = groups.flatMap(({ rows }) => rows.filter(({ ways }) => ways !== null).map(({ name }) => name));
    expect(advised).toEqual([pool.id]);
    expect(
      adviceRows({ tried: [pool], together: null }, settings, false).groups.flatMap(({ rows }) => rows.map(({ ways }) => ways)),
    ).toEqual([null]);
  });

  it('is applied by the settings that the target declares, and had as SQL or text otherwise', () => {
    const variable = { name: 'UV_THREADPOOL_SIZE', value: '8', appends: false };
    const threads: Tried = {
      ...pool,
      id: 'uv.threads=8',
      settings: { 'uv.threads': 8 },
      apply: [{ where: 'benchside.json', text: '', variable }],
    };
    const [group] = adviceRows({ tried: [index, pool, threads], together: null }, settings).groups;
    expect(group?.rows.map(({ ways }) => [ways?.values, ways?.hasSql, ways?.hasVariables])).toEqual([
      [null, true, false],
      [{ pool: 4 }, false, false],
      [null, false, true],
    ]);
  });

  it('answers with what all of it does together, unless the best by itself is more', () => {
    const all = adviceAnswerOf(advice, settings);
    expect(all.title).toBe('Two changes together: 160 % more requests per second');
    expect(all.figures).toContain('100 → 260 requests/s, 95 % interval +110 % to +220 %');
    expect(all.ways).toMatchObject({ changes: [index.id, pool.id], values: { pool: 4 }, hasSql: true });
    const less = { ...together, overBest: { ratio: { mean: 0.9, ciLow: 0.8, ciHigh: 0.95 }, verdict: 'worse' as const } };
    expect(adviceAnswerOf({ ...advice, together: less }, settings)).toMatchObject({
      title: 'index ads (seller): 150 % more requests per second',
      ways: { changes: [index.id], values: null },
    });
    expect(adviceAnswerOf({ ...advice, tried: [heap], together: null }, settings).ways).toBeNull();
  });

  it('has its costs in columns, and nothing where they are not told apart', () => {
    const costs = [
      { id: 'cpu' as const, base: 100, other: 60, verdict: 'better' as const },
      { id: 'memory' as const, base: 1_048_576, other: 3_145_728, verdict: null },
    ];
    const [group] = adviceRows(
      {
        tried: [
          { ...pool, costs },
          { ...pool, id: 'b', costs: [{ id: 'cpu', base: 100, other: 104, verdict: 'unknown' }] },
        ],
        together: null,
      },
      settings,
    ).groups;
    expect(group?.rows.map(({ cpu, memory }) => [cpu.text, cpu.look, memory.text])).toEqual([
      ['−40 %', 'good', '+2.0 MiB'],
      ['–', '', '–'],
    ]);
  });
});
