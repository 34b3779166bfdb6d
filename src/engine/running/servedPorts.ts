import { processPorts } from '../targets/listener.ts';

const inspectorAnswersMs = 500;

/** The TCP ports on which a process of this machine listens for requests, ascending; that of Node’s inspector, where a debugger speaks, is none. Empty where the platform does not tell. */
export async function servedPorts(pid: number): Promise<number[]> {
  const ports = processPorts(pid);
  const inspectors = await Promise.all(ports.map(isInspector));
  return ports.filter((_, index) => inspectors[index] !== true);
}

/** An inspector answers in a thread of its own, whatever the program does; who does not answer in time is none. */
async function isInspector(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/json/version`, { signal: AbortSignal.timeout(inspectorAnswersMs) });
    return (await answer.text()).slice(0, 1000).includes('"Protocol-Version"');
  } catch {
    return false;
  }
}
