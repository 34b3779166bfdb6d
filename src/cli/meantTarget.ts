import type { TargetState } from '../model/protocol/protocol.ts';
import { onlyWorkspaceTarget } from '../model/domain/onlyWorkspaceTarget.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import type { Terminal } from './terminal.ts';

type Asked = Pick<EngineClient, 'request'>;
type Told = Pick<Terminal, 'tell'>;

/**
 * The target of a command that names none: the only one that the workspace itself declares; it is printed. `origins`: the permitted origins of a target. Fails with
 * `target-unknown`.
 */
async function meantTarget(engine: Asked, { tell }: Told, origins: readonly TargetState['origin'][]): Promise<string> {
  const { targets, problems } = await engine.request('catalog/get', {});
  const eligible = targets.filter(({ origin }) => origins.includes(origin));
  const id = onlyWorkspaceTarget(eligible, problems, '--target');
  tell(`Target: ${id}, the only one that this folder declares.`);
  return id;
}

/** What `run` and `tune` ask for, of the target that is meant where none is named. */
export async function withTargets<R extends { targets: string[] }>({ request }: { request: R }, engine: Asked, terminal: Told): Promise<R> {
  return request.targets.length > 0 ? request : { ...request, targets: [await meantTarget(engine, terminal, ['workspace', 'sample'])] };
}

/** What commands of one target ask for, of the target that is meant where none is named. */
export async function withTarget<R extends { target?: string | undefined }>(
  { request }: { request: R },
  engine: Asked,
  terminal: Told,
  origins: readonly TargetState['origin'][] = ['workspace'],
): Promise<R & { target: string }> {
  return { ...request, target: request.target ?? (await meantTarget(engine, terminal, origins)) };
}
