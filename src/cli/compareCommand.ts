import { type ComparedMetric, type Comparison, comparedIn } from '../model/domain/comparison.ts';
import { methodText } from '../model/domain/comparedMethod.ts';
import { type SideNames, comparedSentence, sentenceWithCure } from '../model/presentation/comparedWords.ts';
import { comparisonHeadline } from '../model/presentation/comparisonSaid.ts';
import { comparisonNote, comparisonTable, invalidSides } from '../model/presentation/comparisonTable.ts';
import { present } from '../model/presentation/present.ts';
import { failure } from '../model/domain/failure.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { baselineFor, machineOf } from './baselineCommand.ts';
import { type Gate, type JUnitSuite, gateCode, junitXml, worstVerdict, writeGateFile } from './gate.ts';
import { resolveRun } from './resolveRun.ts';
import type { EngineCommand } from './command.ts';
import type { compareCommand } from './versionOptions.ts';
import { textTable } from './textDocument.ts';
import { wordedComparison } from './wordedRun.ts';

/** `benchside compare BASE OTHER`. */
export const compare: EngineCommand<typeof compareCommand> = async (command, engine, { print, json, write, tell }) => {
  const b = await resolveRun(engine, command.b);
  const a = command.a === 'baseline' ? await baselineFor(engine, b) : await resolveRun(engine, command.a);
  const [first, second = first] = command.trials;
  const comparison = await engine.request('runs/compare', {
    a,
    b,
    ...(first === undefined ? {} : { trialA: await resolveTrial(engine, a, first) }),
    ...(second === undefined ? {} : { trialB: await resolveTrial(engine, b, second) }),
  });
  if (command.json) json({ comparison: wordedComparison(comparison) });
  else print(comparisonText(comparison));
  const { gate } = command;
  if (gate.junit !== null) writeGateFile(write, gate.junit, junitXml(comparisonSuite(comparison, gate)));
  if (command.a === 'baseline') {
    const [own, other] = [await machineOf(engine, a), await machineOf(engine, b)];
    tell(
      own === other
        ? `The baseline is ${a}, measured on the same machine (${own}).`
        : `The baseline ${a} does not count: it was measured on another machine (${own}; this one: ${other}).`,
    );
    if (own !== other) return gateCode('unknown', gate);
  }
  return gateCode(worstVerdict(comparison.rows.map(({ throughput }) => throughput?.verdict ?? 'unknown')), gate);
};

function comparisonSuite({ a, b, rows }: Comparison, { failOn, undecided }: Gate): JUnitSuite {
  const names = { a: a.name, b: b.name };
  return {
    name: `${a.title} → ${b.title}`,
    cases: rows.flatMap((row) =>
      comparedIn(row).map(({ name, compared: one }) => ({
        of: row.label,
        name,
        verdict: one.verdict,
        sentence: comparedSentence(one, names),
      })),
    ),
    failUndecided: failOn !== null && undecided === 'fail',
  };
}

/** A trial of a run by its key, or by a part of it that no other trial's key has, such as `pool=8`. */
async function resolveTrial(engine: EngineClient, run: string, reference: string): Promise<string> {
  const { run: record } = await engine.request('runs/get', { id: run });
  const keys = record.trials.map((trial) => trial.key);
  const parts = reference.split('|');
  const matches = keys.includes(reference) ? [reference] : keys.filter((key) => parts.every((part) => key.split('|').includes(part)));
  const [match] = matches;
  if (match !== undefined && matches.length === 1) return match;
  const problem =
    match === undefined ? `Run ${run} has no trial “${reference}”.` : `“${reference}” fits ${matches.length} trials of run ${run}.`;
  throw failure('trial-unknown', problem, `Name one of: ${keys.join('; ')}.`);
}

/** A comparison as the terminal shows it: the verdict in words, then what was different anyway, then the figures. */
export function comparisonText(comparison: Comparison): string {
  const side = ({ name, title, startedAt, trialKey }: Comparison['a']): string =>
    `${name}: ${title}${trialKey === null ? '' : ` · ${trialKey}`} (${startedAt})`;
  const names = { a: comparison.a.name, b: comparison.b.name };
  const methods = new Set(comparison.rows.flatMap((row) => comparedIn(row).map(({ compared: one }) => methodText(one.method))));
  const { differences, rows } = comparison;
  return present(
    comparisonHeadline(comparison),
    '',
    side(comparison.a),
    side(comparison.b),
    '',
    differences.map(({ severity, what, a, b }) => `${severity === 'warning' ? '!' : '·'} ${what}: ${a} → ${b}`),
    differences.length > 0 && '',
    textTable(comparisonTable(comparison)),
    rows.length > 0 && ['', `· ${comparisonNote(comparison)}`],
    rows.flatMap((row) => invalidSides(row, names).map((side) => `! ${row.label}: ${side}`)),
    rows.length === 0 && 'The two have no trial with the same target, settings and connections; name one of each with --trial.',
    '',
    rows.flatMap((row) => comparedIn(row).map(({ compared: one }) => `${row.label}: ${sentence(one, names)}`)),
    [...methods].map((method) => `· ${method}`),
  )
    .join('\n')
    .trimEnd();
}

function sentence(one: ComparedMetric, names: SideNames): string {
  const text = sentenceWithCure(one, names);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
