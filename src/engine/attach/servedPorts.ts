import http from 'node:http';
import { processPorts } from '../targets/listener.ts';

const inspectorAnswersMs = 500;
const mostCharacters = 1000;

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
function isInspector(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/json/version', agent: false, signal: AbortSignal.timeout(inspectorAnswersMs) };
    const request = http.get(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.length > mostCharacters) response.destroy();
      });
      response.on('error', () => resolve(false)).on('close', () => resolve(text.includes('"Protocol-Version"')));
    });
    request.on('error', () => resolve(false));
  });
}
