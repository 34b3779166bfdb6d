import { smallAnswer } from '../load/smallAnswer.ts';
import { processPorts } from '../targets/listener.ts';

const inspectorAnswersMs = 500;

/**
 * The TCP ports on which a process of this machine listens for requests, ascending; that of Node’s inspector, where a debugger speaks, is none. Empty where the
 * platform does not report them.
 */
export async function servedPorts(pid: number): Promise<number[]> {
  const ports = processPorts(pid);
  const inspectors = await Promise.all(ports.map(isInspector));
  return ports.filter((_, index) => inspectors[index] !== true);
}

/** An inspector answers in a thread of its own, whatever the program does; who does not answer in time is none. */
async function isInspector(port: number): Promise<boolean> {
  const text = await smallAnswer(port, '/json/version', { withinMs: inspectorAnswersMs, longest: mostCharacters });
  return text?.includes('"Protocol-Version"') === true;
}
