import { inspectJvm } from '../../src/engine/record/jvm/jvmProcess.ts';
import { AttachSocket } from '../../src/engine/record/jvm/attachSocket.ts';

/** Loads the probe into a JVM that runs, as `jcmd` would; it then connects back on its own. */
export async function loadProbe(
  pid: number,
  { jarFile, group }: { jarFile: string; group: { env: Readonly<Record<string, string>> } },
): Promise<void> {
  const socket = await AttachSocket.open(inspectJvm(pid));
  const { BENCHSIDE_PROBE_ADDRESS: address = '', BENCHSIDE_PROBE_TOKEN: token = '' } = group.env;
  const { status, text } = await socket.command(['load', 'instrument', 'false', `${jarFile}=address=${address},token=${token}`]);
  if (status !== 0 || !/^(?:(?:return code: )?0)?\s*$/.test(text)) throw new Error(`The JVM did not load the probe: ${text}`);
}
