import type { LoadProfile } from '../../../model/domain/loadProfile.ts';
import type { LiveRequest } from '../../../model/protocol/live.ts';
import type { RunRequest } from '../../../model/domain/run.ts';
import { LiveSettings } from '../../probe/liveSettings.ts';
import { probeProblem } from '../../probe/probeLaunch.ts';
import type { RunningTarget } from '../../targets/launchTarget.ts';
import { findTarget } from '../../targets/catalog.ts';
import { loadProfileNamed } from '../loadProfileNamed.ts';
import { type PlannedTrial, type RunPlan, closedLoop, planRun } from '../plan.ts';
import type { RunContext } from '../runContext.ts';

/** A person is waiting, and sees on the chart what is not warm yet. Seconds, at the most. */
const warmUpS = { minS: 2, maxS: 6, jvmMinS: 4, jvmMaxS: 12 } as const;
const probeTimeoutMs = 5_000;

/** What a session is going to put under load. */
export interface LivePlan {
  plan: RunPlan;
  /** The process under load, with the values of its start. */
  planned: PlannedTrial;
  request: RunRequest;
}

/** Plans the one trial of a session. Fails as the plan of a run does: unknown target, profile, route, setting or value. */
export function planLive(request: LiveRequest, context: Pick<RunContext, 'declarations'>): LivePlan {
  const profile = loadProfileNamed(context.declarations, request.load);
  const declared = findTarget(context.declarations, request.target);
  const own = typeof profile.connections === 'number' ? profile.connections : Math.max(...profile.connections);
  const runRequest: RunRequest = {
    targets: [request.target],
    settings: Object.fromEntries(Object.entries(request.settings).map(([name, value]) => [name, [value]])),
    load: request.load,
    ...(request.route === undefined ? {} : { route: request.route }),
    connections: [request.connections ?? own],
  };
  const plan = planRun([declared], shortWarmUp(closedLoop(profile)), runRequest);
  const [planned] = plan.trials;
  if (planned === undefined) throw new Error('a plan without a trial');
  return { plan, planned, request: runRequest };
}

function shortWarmUp(profile: LoadProfile): LoadProfile {
  const { warmUp } = profile;
  return {
    ...profile,
    warmUp: {
      minS: Math.min(warmUp.minS, warmUpS.minS),
      maxS: Math.min(warmUp.maxS, warmUpS.maxS),
      jvmMinS: Math.min(warmUp.jvmMinS, warmUpS.jvmMinS),
      jvmMaxS: Math.min(warmUp.jvmMaxS, warmUpS.jvmMaxS),
    },
  };
}

/** The settings of an app that has answered some requests, and which of them can be moved. */
export async function findLiveSettings(
  { process }: PlannedTrial,
  running: RunningTarget,
  { probes, signal }: RunContext,
): Promise<LiveSettings> {
  const { target } = process.declared;
  const attached = running.probe === null ? null : await running.probe.attached(probeTimeoutMs, signal);
  const problem =
    probes === null
      ? ({ code: 'probes-off' } as const)
      : (probeProblem(target.runtime, probes.assetsDir) ?? { code: attached === null ? 'probe-absent' : 'probe-silent' });
  return LiveSettings.find({ ...running, probe: attached === null ? null : running.probe }, target.settings, process.settings, problem);
}
