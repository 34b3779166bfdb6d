import type { Failure } from '../domain/failure.ts';
import { percentPhrase } from '../domain/format.ts';
import { present } from '../presentation/present.ts';
import { listed } from '../protocol/listed.ts';
import { machineChecks, resolutionText } from '../presentation/machineChecks.ts';
import type { Catalog, ResultOf, TargetState } from '../protocol/protocol.ts';
import type { RunSummary } from '../domain/run.ts';
import type { SettingSpec } from '../domain/setting.ts';
import { type AgentAnswer, type AgentCall, type Asked, defaultTop, isPlainWord, plainWord } from './agentAnswer.ts';

/** What can be measured here: targets that this workspace declares first, load profiles, the latest runs. */
export function targetsAnswer(catalog: Catalog, runs: readonly RunSummary[], { top = defaultTop, focus }: Asked): AgentAnswer {
  const order: Readonly<Record<TargetState['origin'], number>> = { workspace: 0, sample: 1, lab: 2 };
  const all = listed(catalog.targets, ({ id }) => id === focus)
    .filter(({ id }) => focus === undefined || id === focus)
    .sort((a, b) => order[a.origin] - order[b.origin]);
  const shown = all.slice(0, top);
  const first = shown.find(({ problem, id }) => problem === null && isPlainWord(id));
  const latest = runs.filter((one) => one.kind === 'run').slice(0, Math.ceil(top / 2));
  const profiles = listed(catalog.loadProfiles, () => false);
  return {
    said: present(
      `targets: ${all.length}${all.length > shown.length ? `, of which ${shown.length} are shown` : ''}`,
      shown.map(targetLine),
      `load profiles: ${profiles.length}, see the data`,
      latest.map(({ id, startedAt, state, valid }) => {
        const when = /^[-\dT:]{16}/.exec(startedAt)?.[0] ?? 'at some time';
        return `run ${id}: ${when}, ${state}${valid ? '' : ', partly discarded'}`;
      }),
      catalog.problems.length > 0 && `problems of benchside.json: ${catalog.problems.length}, see the data`,
    ),
    next: present<AgentCall>(
      first && { tool: 'start_run', input: { target: first.id } },
      latest[0] && { tool: 'get_run', input: { run: latest[0].id } },
    ),
    data: [
      ...shown.flatMap(({ problem, id }) => (problem === null ? [] : [`${id} cannot be started: ${problem.message} ${problem.cure}`])),
      ...catalog.problems.map(({ message, cure }) => `${message} ${cure}`),
      // Words with hyphens between them may be a sentence.
      `load profiles: ${profiles
        .map(({ name }) => name)
        .slice(0, 20)
        .join(', ')}`,
      ...shown.flatMap((one) => [
        `${one.id}: ${one.label}${one.description === '' ? '' : `. ${one.description}`}`,
        ...one.routes
          .slice(0, focus === undefined ? top : undefined)
          .map(({ method, path, weight }) => `${one.id} route: ${method} ${path} (weight ${weight})`),
      ]),
      ...latest.map(({ id, headline, title }) => `run ${id}: ${title}; ${headline}`),
    ],
  };
}

function targetLine({ id, runtime, origin, settings, routes, problem }: TargetState): string {
  const shown = Object.entries(settings).map(([name, spec]) => `${plainWord(name)} ${rangeOf(spec)}`);
  const state = problem === null ? '' : `; CANNOT be started (${problem.code})`;
  return `target ${plainWord(id)} (${runtime}, ${origin}): settings ${shown.length === 0 ? 'none' : shown.join(', ')}; ${routes.length} routes${state}`;
}

function rangeOf(spec: SettingSpec): string {
  if (spec.kind === 'choice') return `${spec.choices.filter(isPlainWord).slice(0, 6).join('|')} (default ${plainWord(spec.default)})`;
  return `${spec.min}..${spec.max} (default ${spec.default})`;
}

/** The smallest difference that this machine can distinguish, and what is missing on it. */
export function machineAnswer(found: ResultOf<'check/run'>): AgentAnswer {
  const { resolution } = found;
  const checks = machineChecks(found);
  const worst = (['error', 'warning'] as const).find((level) => checks.some(({ status }) => status === level)) ?? 'ok';
  const lacking = checks.filter(({ status }) => status !== 'ok');
  return {
    said: [
      'state: complete',
      `verdict: ${worst}`,
      ...(resolution === null
        ? ['interval: the differences that this machine can resolve could not be measured']
        : [
            `interval: differences above ${percentPhrase(resolution.differencePercent)} show in a minute of mirrored slices, with 95 % confidence`,
            `disturbed: ${resolution.interference === null ? 'not known' : `${percentPhrase(resolution.interference.takenPercent)} of the CPU was taken away meanwhile`}`,
          ]),
      ...lacking.map(({ id, status }) => `${plainWord(id)}: ${status}`),
    ],
    next: [{ tool: 'list_targets', input: {} }],
    data: present(
      resolution === null ? undefined : resolutionText(resolution),
      lacking.map(({ label, message, cure }) => `${label}: ${message}${cure === null ? '' : ` ${cure}`}`),
    ),
  };
}

/** What was refused or failed: its code, and its sentence and cure, which may quote others. */
export function failureAnswer({ code, message, cure, detail }: Failure, next: readonly AgentCall[] = []): AgentAnswer {
  return {
    said: ['state: failed', `failure: ${plainWord(code)}`],
    next,
    data: [message, cure, ...(detail === undefined ? [] : detail.split('\n').slice(-12))].filter((line) => line !== ''),
  };
}
