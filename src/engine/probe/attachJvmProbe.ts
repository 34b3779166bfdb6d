import { accessSync, constants } from 'node:fs';
import { failure } from '../../model/failure.ts';
import type { FailureError } from '../../model/failure.ts';
import { AttachSocket } from '../record/jvm/attachSocket.ts';
import { inspectJvm } from '../record/jvm/jvmProcess.ts';
import type { JvmProcess } from '../record/jvm/jvmProcess.ts';
import type { ProbeGroup } from './probeServer.ts';

/** What a JVM's `load` answers when the agent's own entry failed: it was found, but could not be started. */
const agentInitialisationFailed = [100, 101, 102];

/**
 * Loads the probe into a JVM that runs, without a restart. It then connects back by itself: await `group.attached()` afterwards. Loading it again
 * for another engine is harmless. JDK 24 and later write a warning about it to the app's standard error. When the connection ends, the probe puts
 * back the sizes that were changed; its hooks stay, at a fraction of a microsecond for each connection that is borrowed.
 *
 * Fails with `probe-other-user`, `probe-in-container`, `probe-missing`, `agent-refused`, `agent-not-loaded`, and as `inspectJvm` and `AttachSocket.open` do.
 *
 * @param jarFile the probe, as an absolute path
 * @param group whose address and token the probe is given
 */
export async function attachJvmProbe(
  pid: number,
  { jarFile, group, timeoutMs, signal }: { jarFile: string; group: Pick<ProbeGroup, 'env'>; timeoutMs?: number; signal?: AbortSignal },
): Promise<void> {
  const jvm = inspectJvm(pid);
  requireReachable(jvm, jarFile);
  const { BENCHSIDE_PROBE_ADDRESS: address = '', BENCHSIDE_PROBE_TOKEN: token = '' } = group.env;
  const options = timeoutMs === undefined ? {} : { timeoutMs };
  const socket = await AttachSocket.open(jvm, signal === undefined ? options : { ...options, signal });
  signal?.throwIfAborted();
  // The library of the JDK that loads agents written in Java is known by its name, not by a path.
  const { status, text } = await socket.command(['load', 'instrument', 'false', `${jarFile}=address=${address},token=${token}`], options);
  // A refusal is a sentence, from JDK 21 on with the status of a success.
  const code = /^(?:return code: )?(-?\d+)\s*$/.exec(text.trim())?.[1];
  if (status === 0 && (code === '0' || text.trim() === '')) return;
  if (/agent loading is not enabled/i.test(text)) {
    throw failure(
      'agent-refused',
      `The JVM ${pid} was started with -XX:-EnableDynamicAgentLoading and takes no probe while it runs.`,
      'Start it with the probe, by “-javaagent:” and the path of jvmProbe.jar, or with -XX:+EnableDynamicAgentLoading.',
      text.trim(),
    );
  }
  throw notLoaded(pid, code, text);
}

/** The probe reads its jar and connects to a socket as the JVM's user, in the JVM's own view of the files. */
function requireReachable(jvm: JvmProcess, jarFile: string): void {
  try {
    accessSync(jarFile, constants.R_OK);
  } catch (error) {
    throw failure(
      'probe-missing',
      'The probe for the JVM is not there.',
      'Run the set-up again, with a JDK 17 or later and Maven.',
      String(error),
    );
  }
  if (jvm.rootDir !== '') {
    throw failure(
      'probe-in-container',
      `The JVM ${jvm.pid} runs in a container, in which the probe cannot reach Benchside.`,
      'Run it outside the container, or measure without live settings.',
    );
  }
  if (process.geteuid?.() !== jvm.uid) {
    throw failure(
      'probe-other-user',
      `The JVM ${jvm.pid} runs as another user, who may not connect to Benchside.`,
      'Run it as your own user, or measure without live settings.',
    );
  }
}

function notLoaded(pid: number, code: string | undefined, text: string): FailureError {
  const said = text.trim().slice(0, 2000);
  if (code !== undefined && agentInitialisationFailed.includes(Number(code))) {
    return failure(
      'agent-not-loaded',
      `The JVM ${pid} could not start the probe.`,
      'Look whether it is Java 17 or later, and whether it has the module java.instrument.',
      said,
    );
  }
  return failure(
    'agent-not-loaded',
    `The JVM ${pid} did not load the probe.`,
    'Look at its log, or start it with the probe instead: “-javaagent:” and the path of jvmProbe.jar.',
    said,
  );
}
