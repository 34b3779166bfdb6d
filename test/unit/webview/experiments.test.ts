import { describe, expect, it } from 'vitest';
import type { ToPanel } from '../../../src/model/protocol/panel.ts';
import type { RunEvent } from '../../../src/model/protocol/runEvent.ts';
import { measuredTables } from '../../../src/model/presentation/experimentTables.ts';
import { isDoubling } from '../../../webview/experiments/experimentChart.ts';
import {
  agreementMark,
  agreementWord,
  aboutPhrase,
  byPublication,
  lastRunOf,
  requirementsPhrase,
  shortTime,
} from '../../../webview/experiments/listedExperiments.ts';
import { nextStep, verdictTrials } from '../../../webview/experiments/nextStep.ts';
import { armMarks, levelLines, seriesGroups } from '../../../webview/experiments/experimentShapes.ts';
import { panelHead } from '../../../webview/workbench/panelHead.ts';
import { type PanelState, initialState, reduceMessage, showsExperiment } from '../../../webview/workbench/panelState.ts';
import { exampleRun, exampleRunId } from '../../support/runRecords.ts';
import {
  exampleLadderExperiment,
  exampleListedExperiments,
  exampleExperiment,
  exampleTimeExperiment,
} from '../../support/experimentRecords.ts';

const fresh = (): PanelState => initialState({ view: 'experiments', shownRunId: null, chosen: { a: '', b: '' } });
const after = (state: PanelState, ...messages: ToPanel[]): PanelState => messages.reduce(reduceMessage, state);
const events = (...list: RunEvent[]): ToPanel => ({ type: 'runEvents', events: list, replay: false });
const { record, trials } = exampleExperiment();
const experimentRun = exampleRun({ trials, recommendations: [], result: record });
const runId = 'mb2k9x1a-fedcba9876543210fedcba98';
const started: RunEvent = { type: 'started', runId, title: 'C1', trials: [] };
const told: RunEvent = { type: 'experiment', runId, doing: { code: 'blocks', count: 10 }, record };
const finished: RunEvent = { type: 'finished', runId, outcome: 'complete', stored: true, failure: null };

describe('the list of experiments', () => {
  const listed = exampleListedExperiments(exampleRunId);

  it('is by publication in the order of their letters, experiments in the order of their numbers', () => {
    expect(byPublication(listed).map(({ letter, experiments }) => [letter, experiments.map((experiment) => experiment.id)])).toEqual([
      ['A', ['A1']],
      ['B', ['B3']],
      ['C', ['C1', 'C2']],
      ['E', ['E1']],
    ]);
  });
  it('says times as roughly as they are known', () => {
    expect([32, 89, 110, 600, 5400, 43_200].map(aboutPhrase)).toEqual([
      'about 30 s',
      'about 90 s',
      'about 2 min',
      'about 10 min',
      'about 1.5 h',
      'about 12 h',
    ]);
    expect([45, 110, 43_200].map(shortTime)).toEqual(['45 s', '2 min', '12 h']);
  });
  it('leads to the last run only while it is still there', () => {
    const [experiment] = listed;
    const summary = { ...({ title: '', startedAt: '2025-06-02T14:02:09.000Z', state: 'complete', valid: true } as const) };
    const run = {
      ...summary,
      kind: 'run' as const,
      id: exampleRunId,
      reasons: [],
      headline: '',
      targets: [],
      recordings: [],
      marks: { name: null, tags: [], baseline: false },
      againstBaseline: null,
      tuned: false,
      experimentId: 'E1',
      takenPercent: null,
    };
    expect(experiment && lastRunOf(experiment, [run])).toEqual({ id: exampleRunId, startedAt: summary.startedAt });
    expect(experiment && lastRunOf(experiment, [])).toBeNull();
  });
  it('names what is needed, and tells agreement by icon and word', () => {
    expect(requirementsPhrase(['java', 'postgres', 'documents'])).toBe('Java, PostgreSQL, the document store');
    expect([true, false, null].map((agrees) => [agreementMark(agrees).icon, agreementWord(agrees)])).toEqual([
      ['check', 'agrees'],
      ['warning', 'does not agree'],
      ['info', 'only seen'],
    ]);
  });
});

describe('what was measured, in the layout of publications', () => {
  it('has the figures across for one variant, with half of the interval beside the mean', () => {
    const [table] = measuredTables(record);
    expect(table?.columns.slice(0, 3).map(({ title }) => title)).toEqual([
      'connections',
      'Throughput, requests/s',
      'Mean response time, ms',
    ]);
    expect(table?.rows.map(({ cells: [label, first] }) => [label?.text, first?.text, first?.spread])).toEqual([
      ['10', '402', '± 8'],
      ['50', '411', '± 8'],
      ['100', '408', '± 8'],
      ['150', '404', '± 8'],
    ]);
  });
  it('has the variants across for several, and planned levels before they are measured', () => {
    const ladder = exampleLadderExperiment().record;
    const [table] = measuredTables({ ...ladder, points: ladder.points.slice(0, 3) });
    expect(table?.columns.map(({ title }) => title)).toEqual(['connections', 'Node', 'Java', 'Node · 2 workers']);
    expect(table?.rows.map(({ cells }) => cells[0]?.text)).toEqual(['2', '4', '8', '16', '32', '64', '128', '256']);
    expect(table?.rows[3]?.cells.slice(1).map((cell) => cell.text)).toEqual(['–', '–', '–']);
  });
  it('has the variants down at a single level, and every figure that is known', () => {
    const [table] = measuredTables(exampleTimeExperiment().record);
    expect(table?.caption).toBe('210 connections');
    expect(table?.columns.map(({ title }) => title)).toContain('Loss of throughput, %');
    expect(table?.rows.map(({ cells }) => cells[0]?.text)).toEqual(['Node']);
  });
  it('keeps a point that does not count, with its reason', () => {
    const [table] = measuredTables(exampleLadderExperiment().record);
    expect(table?.rows.at(-1)?.cells.map(({ discarded }) => discarded === undefined)).toEqual([true, true, true, false]);
    expect(table?.rows.at(-1)?.cells[3]?.discarded).toEqual(['the load generator was saturated (event loop busy 97 %)']);
  });
});

describe('the charts of an experiment', () => {
  it('have a log axis where levels about double, and a straight one otherwise', () => {
    expect([[2, 4, 8, 16], [1, 10, 100, 500], [10, 50, 100, 150], [4, 8, 12, 96], [30, 60, 90], []].map(isDoubling)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
  it('give each variant a hue of its own, also where two are of one target', () => {
    const ladder = exampleLadderExperiment();
    const marks = armMarks(ladder.record);
    expect([marks.get('java'), marks.get('node')]).toEqual([0, 1]);
    expect(new Set(marks.values()).size).toBe(3);
    const lines = levelLines(ladder.record, 'throughput', marks);
    expect(lines[2]?.points.at(-1)).toMatchObject({ level: 256, valid: false });
    expect(lines[2]?.points.at(-1)?.notes).toEqual(['not valid: the load generator was saturated (event loop busy 97 %)']);
  });
  it('group what was measured over time by its unit, with what happened meanwhile', () => {
    const time = exampleTimeExperiment();
    const groups = seriesGroups(time.record, armMarks(time.record));
    expect(groups.map(({ title, unit, marks }) => [title, unit, marks.map((mark) => mark.atS)])).toEqual([
      ['Requests/s over time', 'requests/s', [20, 45]],
      ['Memory over time', 'MB', []],
    ]);
  });
});

describe('the next step', () => {
  it('applies the fix where a limit was found, and names what is missing for it', () => {
    const listed = exampleListedExperiments(exampleRunId);
    expect(nextStep(record, listed)).toEqual({
      id: 'C2',
      title: 'Its client pool enlarged',
      label: 'Apply the fix and run C2',
      missing: [],
    });
    const healthy = record.points.map((point) => ({ ...point, limit: 'healthy' as const }));
    expect(nextStep({ ...record, points: healthy }, [])).toEqual({ id: 'C2', title: '', label: 'Run C2 next', missing: [] });
    expect(nextStep(exampleLadderExperiment().record, listed)).toBeNull();
  });
  it('prefers the verdict under the highest load', () => {
    expect([...verdictTrials(record, trials).preferred]).toEqual([trials.at(-1)?.key]);
  });
});

describe('the panel while an experiment runs', () => {
  it('stays with the experiments when one was started there, and shows its page when it tells something', () => {
    const asked = { ...fresh(), experimentList: true, experimentAsked: true };
    const running = after(asked, events(started));
    expect([running.view, running.experimentList, showsExperiment(running)]).toEqual(['experiments', false, true]);
    const distinctive = after(running, events(told));
    expect(distinctive.progress?.found).toEqual({ kind: 'experiment', doing: { code: 'blocks', count: 10 }, record });
    expect(panelHead(distinctive, new Date()).heading).toBe('C1');
  });
  it('goes there when one was started elsewhere, and for a benchmark it does not', () => {
    expect(after({ ...fresh(), view: 'compare' }, events(started), events(told)).view).toBe('experiments');
    expect(after(fresh(), events(started)).view).toBe('tune');
  });
  it('leaves a person alone who went back to the list', () => {
    const running = { ...after({ ...fresh(), experimentAsked: true }, events(started, told)), experimentList: true };
    const later = after(running, events(told), events(finished), { type: 'run', run: { ...experimentRun, id: runId } });
    expect([later.view, later.experimentList, later.experimentAsked]).toEqual(['experiments', true, false]);
  });
  it('opens a stored experiment on its page, and any other run under Tune', () => {
    const opened = after(fresh(), { type: 'run', run: experimentRun });
    expect([opened.view, showsExperiment(opened)]).toEqual(['experiments', true]);
    expect(after(fresh(), { type: 'run', run: exampleRun() }).view).toBe('tune');
  });
  it('shows the list when it is asked for, and nothing of an experiment where there is none', () => {
    const shown = after(fresh(), { type: 'run', run: experimentRun }, { type: 'show', view: 'experiments' });
    expect([shown.view, showsExperiment(shown)]).toEqual(['experiments', false]);
    expect(panelHead(shown, new Date()).heading).toBe(experimentRun.title);
    expect(showsExperiment(fresh())).toBe(false);
  });
  it('forgets that one was asked for when it is refused', () => {
    const failure = { code: 'internal' as const, message: 'No.', cure: 'Try again.' };
    expect(after({ ...fresh(), experimentAsked: true, starting: true }, { type: 'failure', failure })).toMatchObject({
      experimentAsked: false,
      starting: false,
    });
  });
});
