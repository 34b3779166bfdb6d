import type { ListeningSocket, RunSystemProgram, SystemTools } from './systemTools.ts';
import { startTimeByPs } from './startTimeByPs.ts';

/** macOS: ps and lsof, which every one has. */
export function macOs(run: RunSystemProgram): SystemTools {
  return {
    startTime: (pid) => startTimeByPs(pid, (args) => run('ps', args)),
    processes: () => {
      const output = run('ps', ['-A', '-o', 'pid=,ppid=,pgid=']);
      return output === null
        ? null
        : [...output.matchAll(/^ *(\d+) +(\d+) +(\d+) *$/gm)].map(([, pid, ppid, pgid]) => ({
            pid: Number(pid),
            ppid: Number(ppid),
            pgid: Number(pgid),
          }));
    },
    listeners: () => {
      const output = run('lsof', ['-nP', '-iTCP', '-sTCP:LISTEN', '-Fpn']);
      return output === null ? null : listenersOf(output);
    },
  };
}

/** Fields of lsof, a line each: `p` begins a process, `n` is an address such as `*:8080`, `127.0.0.1:3000` or `[::1]:5432`; `t` and `f` are of no use. */
function listenersOf(output: string): ListeningSocket[] {
  const sockets: ListeningSocket[] = [];
  let pid = 0;
  for (const line of output.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    const [, host, port] = /^n(.+):(\d+)$/.exec(line) ?? [];
    if (host === undefined || port === undefined) continue;
    // A star is said of all addresses of both kinds.
    const hosts = host === '*' ? ['0.0.0.0', '::'] : [host.replace(/^\[|\]$/g, '')];
    sockets.push(...hosts.map((one) => ({ pid, host: one, port: Number(port) })));
  }
  return sockets;
}
