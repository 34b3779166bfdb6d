import { readFileSync } from 'node:fs';
import { attempt } from '../../model/domain/attempt.ts';
import type { PlainFinding } from '../../model/domain/findingKinds.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { linkTarget } from '../supervise/smallFile.ts';
import { AttachSocket } from '../record/jvm/attachSocket.ts';
import { inspectJvm } from '../record/jvm/jvmProcess.ts';
import { hasSession, ownerAddress, shownToSide } from '../services/databaseOwner.ts';
import { databaseName } from '../services/prepareDatabase.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';
import { type RunningTarget, serverPid } from '../targets/launchTarget.ts';
import { databaseWantsWith, variantsIn } from '../variants/varied.ts';
import type { ProcessView } from '../variants/variantKey.ts';
import { instancesOf } from './runningTargets.ts';

const probeTimeoutMs = 10_000;

/**
 * Where a process can be asked what is in force in it: its probe, the attach socket of its JVM, its files in /proc, and PostgreSQL as its side signs in there.
 */
export function processView(
  running: RunningTarget,
  asked: SettingValues,
  database: DatabaseAddress | null,
  signal: AbortSignal,
): ProcessView {
  const pid = serverPid(running);
  let socket: Promise<AttachSocket> | null = null;
  const wants = databaseWantsWith(running.declared, asked);
  return {
    jvmFlag: async (name) => {
      socket ??= AttachSocket.open(inspectJvm(pid), { signal });
      try {
        const { status, text } = await (await socket).command(['printflag', name]);
        return status === 0 ? text.trim() : null;
      } catch {
        signal.throwIfAborted();
        return null;
      }
    },
    probe: async () => {
      const session = await running.probe?.attached(probeTimeoutMs, signal);
      return (await session?.get().catch(() => null)) ?? null;
    },
    options: () => {
      const [environment, line] = [benchsideFile(pid, 'environ'), benchsideFile(pid, 'cmdline')];
      if (environment === null || line === null) return null;
      const inVariable = environment.find((one) => one.startsWith('NODE_OPTIONS='))?.slice('NODE_OPTIONS='.length) ?? '';
      return [...inVariable.split(/\s+/), ...line.slice(1)].filter((word) => word !== '');
    },
    code: (version) => {
      const folder = running.declared.versions?.[version]?.copied?.copy;
      const works = linkTarget(`/proc/${pid}/cwd`);
      return folder === undefined || works === null ? null : { folder: works, inUse: `${works}/`.startsWith(`${folder}/`) };
    },
    program: () => linkTarget(`/proc/${pid}/exe`),
    cores: () => running.command.cpu?.cores ?? null,
    databaseSetting: async (setting, value) =>
      wants === null || database === null ? null : shownToSide(database, databaseName(database, wants), setting, value, signal),
    ownDatabase: async () => {
      if (wants === null || database === null) return null;
      const name = databaseName(database, wants);
      return { name, inUse: await hasSession(database, name, signal) };
    },
    distance: async () => {
      const { distance } = running;
      if (distance === undefined || wants === null || database === null) return null;
      const name = databaseName(database, wants);
      const inUse = ((await distance.use())?.open ?? 0) > 0;
      return { addedMs: await distance.leastAddedMs(ownerAddress(database, name), name, signal), inUse };
    },
  };
}

/** The first of the values that were asked for which is not in force in every process of a side; null where all are. */
export async function notInForce(
  running: RunningTarget,
  asked: SettingValues,
  database: DatabaseAddress | null,
  signal: AbortSignal,
): Promise<PlainFinding | null> {
  const variants = variantsIn(running.declared, asked);
  if (variants.length === 0) return null;
  for (const instance of instancesOf(running)) {
    const view = processView({ ...instance, distance: running.distance }, asked, database, signal);
    for (const { name, key, value } of variants) {
      const seen = await key.seen(value, view, name);
      if (seen?.holds !== true) return { code: 'value-not-in-force', setting: name, value, seen: seen?.shown ?? null };
    }
  }
  return null;
}

/** The texts of a file in /proc in which each ends with NUL; null where there is none. */
function benchsideFile(pid: number, name: 'environ' | 'cmdline'): string[] | null {
  return attempt(() => readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0'), null);
}
