import { progressOf } from '../model/protocol/progress.ts';
import { wholeNumber } from '../model/domain/format.ts';
import { listed } from '../model/protocol/listed.ts';
import { machineChecks, resolutionText } from '../model/presentation/machineChecks.ts';
import { type CarriedOut, byEngine } from './command.ts';
import { withProgress } from './measure.ts';
import { flag } from './options.ts';

/** `benchside check`. */
const check: CarriedOut<{ lab: boolean }> = async ({ lab, json: asJson }, engine, terminal) => {
  const { print, json, line, signal } = terminal;
  const progress = progressOf(engine, 'check', ({ message, fraction }) =>
    line?.show(`${message}: ${wholeNumber(100 * (fraction ?? 0))} %`),
  );
  const found = await withProgress(terminal, progress, () => engine.request('check/run', {}, signal));
  const checks = machineChecks(found);
  const resolution = found.resolution === null ? null : { sentence: resolutionText(found.resolution), ...found.resolution };
  const catalog = await engine.request('catalog/get', {});
  const targets = listed(catalog.targets, () => lab).map(({ id, label, origin, problem }) => ({ id, label, origin, problem }));
  if (asJson) {
    json({ resolution, checks, targets, problems: catalog.problems });
  } else {
    if (resolution !== null) print(`${resolution.sentence}\n`);
    const signs = { ok: '✓', disturbed: '~', warning: '!', error: '✗' } as const;
    for (const one of checks) print(`${signs[one.status]} ${one.label}: ${one.message}${one.cure === null ? '' : ` ${one.cure}`}`);
    print('\nTargets');
    for (const target of targets)
      print(
        target.problem === null
          ? `✓ ${target.id} (${target.label})`
          : `✗ ${target.id} (${target.label}): ${target.problem.message} ${target.problem.cure}`,
      );
    for (const problem of catalog.problems) print(`✗ ${problem.message} ${problem.cure}`);
  }
  return checks.some((one) => one.status === 'error') || catalog.problems.length > 0 ? 1 : 0;
};

/** `benchside stop`. */
const stop: CarriedOut<object> = async ({ json }, engine, terminal) => {
  const { stopped, reaped } = await engine.request('engine/stopEverything', {});
  if (json) terminal.json({ stopped, reaped });
  else terminal.print(stopped + reaped === 0 ? 'Nothing was left running.' : `Ended ${stopped + reaped} processes.`);
  return 0;
};

export const checkCommand = byEngine(
  {
    words: 'check',
    description: 'which differences this machine can resolve, whether it is ready, and what can be benchmarked here',
    options: { lab: flag('--lab', 'also what is planted for experiments and tests') },
    means: ({ lab }) => ({ lab }),
  },
  () => Promise.resolve(check),
);

export const stopCommand = byEngine(
  {
    words: 'stop',
    description: 'end whatever earlier runs have left behind',
    means: () => ({}),
  },
  () => Promise.resolve(stop),
);
