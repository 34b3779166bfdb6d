import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../model/failure.ts';
import type { VersionDiff } from '../model/versionDiff.ts';
import { diffTable, flameLines, functionTable } from '../model/versionDiffTable.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { ProgressLine } from './progressLine.ts';
import { runFailures } from './runFailures.ts';
import type { Of, Terminal } from './terminal.ts';
import { textTable } from './textTable.ts';

/** Exit codes of the gate: as a person’s script reads them. */
const gate = { held: 0, worse: 3, undecided: 4 } as const;

/** `benchside diff BASE HEAD`: two versions of the code in one run. */
export async function diff(
  { request, json, markdown, failOn, undecided }: Of<'diff'>,
  engine: EngineClient,
  terminal: Terminal,
): Promise<number> {
  const { print, tell, write } = terminal;
  const { diff: found, run, markdown: text, outcome } = await measured(request, engine, terminal);
  if (found === null) throw failure('cancelled', 'Cancelled before both versions were measured.');
  const failures = run === null ? [] : runFailures(run);
  if (json) terminal.json({ diff: found, run: run?.id ?? null, ...(failures.length === 0 ? {} : { failures }) });
  else print(diffText(found, run?.id ?? null));
  if (markdown !== null) write(path.resolve(markdown), text);
  const summary = process.env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined && summary !== '') appendFileSync(summary, text);
  if (outcome === 'cancelled') return 1;
  if (failures.length > 0) {
    for (const { sentence } of failures) tell(sentence);
    return 1;
  }
  if (failOn === null) return 0;
  if (found.verdict === 'worse') return gate.worse;
  return found.verdict === 'unknown' && undecided === 'fail' ? gate.undecided : gate.held;
}

async function measured(request: Of<'diff'>['request'], engine: EngineClient, { signal, line, tell }: Terminal) {
  const progress = new ProgressLine(line, tell);
  const subscriptions = [
    engine.on('run/event', (event) => progress.show(event)),
    engine.on('engine/log', ({ source, message }) => {
      if (source === 'versions') tell(message);
    }),
  ];
  const cancel = (): void => void engine.request('run/cancel', {}).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await engine.request('diff/start', request);
  } finally {
    signal.removeEventListener('abort', cancel);
    progress.clear();
    for (const subscription of subscriptions) subscription.dispose();
  }
}

/** The answer, what explains it, and the figures of both. */
export function diffText(diff: VersionDiff, runId: string | null): string {
  return [
    diff.headline,
    ...diff.reasons.map((reason) => `  · ${reason}`),
    ...(diff.metrics.length === 0 ? [] : ['', textTable(diffTable(diff))]),
    ...whyText(diff.why),
    ...(runId === null ? [] : ['', `Kept as run ${runId}.`]),
  ].join('\n');
}

/** The functions that answer for it, and the picture as text. */
function whyText(why: VersionDiff['why']): string[] {
  if (why === null || why.functions.length === 0) return [];
  const { flame } = why;
  return [
    '',
    textTable(functionTable(why)),
    ...(flame === null
      ? []
      : ['', `${flame.event} per request, and by how much that changed (← on changed lines)`, ...flameLines(flame, 16)]),
  ];
}
