import { generatorText } from '../domain/generator.ts';
import type { RunRecord } from '../domain/run.ts';
import { repeatedFlags } from '../domain/runFlags.ts';
import { repeatedOptions } from './runOptionText.ts';
import { sloPhrase } from '../domain/sloText.ts';
import type { ExperimentRecord } from '../domain/experiment.ts';
import type { RunTopology } from '../domain/topology.ts';
import { tunedTopology } from '../domain/tuning.ts';

/** The command line that asks for the same run or tuning again, with everything that was measured written out. */
export function repeatCommand(run: RunRecord): string {
  return ['benchside', ...argumentsOf(run)].map(shellQuoted).join(' ');
}

function argumentsOf(run: RunRecord): string[] {
  return run.result.kind === 'experiment' ? experimentArguments(run.result, run) : comparingArguments(run);
}

function experimentArguments({ experiment, form }: ExperimentRecord, { raw, recordings }: RunRecord): string[] {
  return [
    ...['experiment', experiment.id, ...(form === 'full' ? ['--full'] : [])],
    ...(raw === undefined ? [] : [`--raw=${raw.share}`]),
    ...(recordings.length === 0 ? [] : ['--record']),
  ];
}

function comparingArguments(run: RunRecord): string[] {
  const { load } = run;
  const tuned = run.result.kind === 'tune' ? run.result.request : null;
  const request = tuned ?? run.request;
  const ofLoad = [load.connections].flat();
  const connections = [request.connections ?? (tuned === null ? ofLoad : Math.max(...ofLoad))].flat();
  return [
    tuned === null ? 'run' : 'tune',
    ...commonArguments(request),
    ...['--connections', connections.join(',')],
    ...repeatedOptions(run),
    ...(tuned === null || tuned.mode === 'auto' ? [] : ['--mode', tuned.mode]),
    ...repeatedFlags(request),
    ...topologyArguments(tuned === null ? request.topology : tunedTopology(tuned)),
    ...(request.raw === undefined ? [] : [`--raw=${request.raw.share}`]),
    ...(request.record === undefined ? [] : ['--record']),
  ];
}

function topologyArguments(topology: RunTopology | undefined): string[] {
  if (topology === undefined) return [];
  const { proxy, cpuShare, totalConnections, bouncer } = topology;
  return [
    ...(proxy === null ? [] : ['--proxy', proxy.balance]),
    ...(proxy?.staticFiles === true ? ['--proxy-static'] : []),
    ...(proxy?.upstreamKeepAlive === false ? ['--proxy-close'] : []),
    ...(cpuShare === null ? [] : ['--cpu-share', String(cpuShare)]),
    ...(totalConnections === undefined ? [] : ['--total-connections', String(totalConnections)]),
    ...(bouncer === undefined ? [] : ['--bouncer', bouncer.mode]),
  ];
}

function commonArguments(
  request: Pick<RunRecord['request'], 'targets' | 'settings' | 'load' | 'route' | 'leaveOut' | 'askRoutes' | 'slo' | 'generator'>,
): string[] {
  return [
    ...request.targets.flatMap((target) => ['--target', target]),
    ...Object.entries(request.settings).flatMap(([name, values]) => ['--set', `${name}=${values.join(',')}`]),
    ...['--load', request.load],
    ...(request.route === undefined ? [] : ['--route', request.route]),
    ...(request.leaveOut ?? []).flatMap((route) => ['--leave-out', route]),
    ...(request.askRoutes === false ? ['--even-failing'] : []),
    ...(request.slo === undefined ? [] : ['--slo', sloPhrase(request.slo)]),
    ...(request.generator === undefined ? [] : ['--generator', generatorText(request.generator)]),
  ];
}

/** An argument as a POSIX shell takes it literally. */
export function shellQuoted(argument: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
