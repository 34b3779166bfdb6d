import type { Step } from '../../model/domain/progress/stepKinds.ts';
import { runtimes } from '../../model/domain/runtimes.ts';
import { isCancellation } from '../../model/domain/failure.ts';
import type { FindingOf } from '../../model/domain/detection.ts';
import { addressFinding } from '../detect/parts.ts';
import { OwnTime } from '../observe/ownTime.ts';
import { freePort } from '../services/freePort.ts';
import { poll } from '../supervise/pause.ts';
import { politeLadder } from '../supervise/stopLadder.ts';
import { askStatus } from '../targets/askStatus.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { hear } from '../targets/hearing.ts';
import { type LaunchOptions, targetCommand } from '../targets/launchTarget.ts';
import { groupPorts } from '../targets/listener.ts';
import { addressTrial } from './addressTrial.ts';
import { computingTimes } from './answeringPlace.ts';
import { onlyAddress } from './shellVariables.ts';

/** A pool opens its first connection at start, or at the first request. */
const afterAnsweringMs = 6_000;
const stopGraceMs = 1_000;

type TrialContext = Pick<LaunchOptions, 'supervisor' | 'toolchain' | 'cookieEnvironment'> & {
  onProgress: (step: Step) => void;
  signal: AbortSignal;
};

/**
 * Which variables of the shell give a service the address of its database. Where exactly one holds a whole address, that one. Otherwise the service starts with
 * a separate listener for each variable that can hold one, or a part of one. No listener has anybody's data. The one that it connects to shows which variable
 * it was. Null where no variable can hold one, or it went nowhere.
 */
export async function triedAddress(
  declared: DeclaredTarget,
  shell: ReadonlyMap<string, string>,
  context: TrialContext,
): Promise<FindingOf<'postgres'> | null> {
  const own = new Map([...shell, ...Object.entries(declared.target.env)]);
  const only = onlyAddress(own);
  // The introspection gives it our database by that variable, and shows whether it connects there.
  if (only !== null)
    return addressFinding(only, { because: `the shell has an address of PostgreSQL in ${Object.values(only).join('')}`, sure: true });
  const trial = await addressTrial(own);
  if (trial === null) return null;
  const { supervisor, signal, onProgress } = context;
  const label = declared.target.label ?? declared.target.id;
  try {
    const port = declared.target.port.fixed ?? (await freePort());
    const { argv, cwd, env } = targetCommand(withoutDatabase(declared), {}, port, { ...context, database: null });
    onProgress({ code: 'trying-address', label });
    const child = await supervisor.start({
      name: label,
      kind: 'app',
      argv,
      cwd,
      env: { ...env, ...trial.env },
      runsJvm: declared.target.runtime === 'jvm',
      stop: politeLadder(stopGraceMs),
    });
    try {
      const own = new OwnTime(child.pgid);
      let answersSince: number | null = null;
      await poll(
        async () => {
          if (trial.heard() !== null || !child.running) return true;
          if (answersSince !== null) return own.spentMs() - answersSince > afterAnsweringMs;
          if (await asks(groupPorts(child.pgid) ?? [port], declared, signal)) answersSince = own.spentMs();
          return false;
        },
        { isOver: () => own.isOver(runtimes[declared.target.runtime].comesUpWithinMs, computingTimes), everyMs: 100, signal },
      );
    } finally {
      await child.stop();
    }
    const names = trial.heard();
    if (names === null || Object.keys(names).length === 0) return null;
    return addressFinding(names, { because: 'tried: it went where they led', sure: true });
  } catch (error) {
    if (isCancellation(error)) throw error;
    return null;
  } finally {
    await trial.close();
  }
}

/** Whether something of it answers; its routes are asked then, since some connect only for a request. */
async function asks(ports: readonly number[], { target }: DeclaredTarget, signal: AbortSignal): Promise<boolean> {
  for (const port of ports) {
    const heard = await hear({ port }, target.ready.path, signal);
    if (!('status' in heard)) continue;
    const paths = target.routes.flatMap(({ method, path }) => (method === 'GET' ? [path.replace(/:[A-Za-z_]\w*/g, '1')] : []));
    await Promise.all(paths.slice(0, 20).map(async (path) => askStatus({ ...heard.reach, port }, path, signal)));
    return true;
  }
  return false;
}

function withoutDatabase(declared: DeclaredTarget): DeclaredTarget {
  const { postgres: _, ...target } = declared.target;
  return { ...declared, target };
}
