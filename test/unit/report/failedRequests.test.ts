import { recorded } from '../../support/recorded.ts';
import { describe, expect, it } from 'vitest';
import { runText } from '../../../src/cli/runText.ts';
import { htmlReport } from '../../../src/engine/report/htmlReport.ts';
import { markdownReport } from '../../../src/engine/report/markdownReport.ts';
import { summarizeRun } from '../../../src/engine/runs/summarizeRun.ts';
import { runRow } from '../../../src/extension/runs/runRow.ts';
import { conditionSentence, hasInterference, runInterference } from '../../../src/model/presentation/interferenceWords.ts';
import { type RunRecord, type Trial, noErrors } from '../../../src/model/domain/run.ts';
import { interferenceChip, runBadge } from '../../../src/model/presentation/runWords.ts';
import { busy, exampleDisturbedRun } from '../../support/runRecords.ts';

const disturbed = exampleDisturbedRun();

/** The trial as it is where the app answers every request with a 500, on a machine of which much is taken. */
function erroneous(trial: Trial): Trial {
  const ofBlock = { ...noErrors, total: 1000, status5xx: 1000 };
  const blocks = trial.blocks.map((block, index) => ({
    ...block,
    valid: false,
    requests: 0,
    errors: ofBlock,
    interference: busy[index % busy.length] ?? null,
  }));
  const total = 1000 * blocks.length;
  return {
    ...trial,
    valid: false,
    failed: 'errors' as const,
    requests: 0,
    blocks,
    diagnosis: null,
    reasons: recorded(`${total} requests were answered with a server error (5xx): 100 % of all, where errors together may be 0.1 %.`),
    errors: { ...noErrors, total, status5xx: total },
  };
}

const failedRun: RunRecord = {
  ...disturbed,
  valid: false,
  recommendations: [],
  noiseFloorPercent: null,
  trials: disturbed.trials.map(erroneous),
};

const blame = /interference|noise-adjusted|hypervisor|other machines/i;

describe('a run whose every request failed on a busy machine', () => {
  it.each<[string, (run: RunRecord) => string]>([
    ['the terminal', runText],
    ['the HTML report', htmlReport],
    ['the Markdown report', markdownReport],
    ['the badge of the panel', (run) => `${runBadge(run).text} ${interferenceChip(run)}`],
    ['the list of runs', (run) => JSON.stringify(runRow(summarizeRun(run), new Date()))],
  ])('is told by its errors, and never by what the machine did, in %s', (_name, text) => {
    expect(text(disturbed)).toMatch(blame);
    expect(text(failedRun)).toMatch(/all [\d,]+ requests failed \([\d,]+ status 5xx\)/);
    expect(text(failedRun)).not.toMatch(blame);
  });

  it('leaves to the trials that worked what disturbed them', () => {
    const [first, ...others] = disturbed.trials;
    if (first === undefined) throw new Error('there are trials');
    const half: RunRecord = { ...disturbed, valid: false, trials: [erroneous(first), ...others] };
    expect(runInterference(half.trials)).toEqual(runInterference(others));
    expect(hasInterference(half.trials)).toBe(true);
    expect(conditionSentence(erroneous(first))).toBe('');
    expect(runBadge(half).text).toMatch(/^1 of \d+ trials not valid: all [\d,]+ requests failed/);
  });
});
