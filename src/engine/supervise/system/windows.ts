import type { ProcessRow, RunSystemProgram, SystemTools } from './systemTools.ts';

/** Windows: PowerShell 5.1 and netstat, which come along with every version that is supported. (`wmic` is gone from Windows 11.) */
export function windows(run: RunSystemProgram): SystemTools {
  const ask = (script: string): string | null => run('powershell.exe', ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', script]);
  return {
    startTime: (pid) => {
      const said = ask(
        `$p = Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}'; if ($p) { $p.CreationDate.ToFileTimeUtc() } else { 'none' }`,
      )?.trim();
      return said === 'none' || (said !== undefined && /^\d+$/.test(said)) ? said : null;
    },
    processes: () => {
      const output = ask(
        'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.CreationDate.ToFileTimeUtc())" }',
      );
      return output === null ? null : rowsOf(output);
    },
    listeners: () => {
      const output = run('netstat.exe', ['-ano']);
      return output === null ? null : listenersOf(output);
    },
  };
}

/** Lines `pid parent created`. A parent is named by its number for ever: one that began later is another process, which has got that number since. */
function rowsOf(output: string): ProcessRow[] {
  const all = [...output.matchAll(/^(\d+) (\d+) (\d*)\r?$/gm)].map(([, pid, ppid, created]) => ({
    pid: Number(pid),
    ppid: Number(ppid),
    created: created === undefined || created === '' ? 0n : BigInt(created),
  }));
  const createdOf = new Map(all.map(({ pid, created }) => [pid, created]));
  return all.map(({ pid, ppid, created }) => ({ pid, ppid: (createdOf.get(ppid) ?? 0n) > created ? 0 : ppid, pgid: 0 }));
}

/** The words for states are in the language of the system: what listens has no port at the other end. */
function listenersOf(output: string): { pid: number; host: string; port: number }[] {
  return [...output.matchAll(/^\s*TCP\s+(\S+):(\d+)\s+\S+:0\s+\S+\s+(\d+)\s*$/gm)].map(([, host = '', port, pid]) => ({
    pid: Number(pid),
    // A link-local address carries its interface behind a percent sign.
    host: host.replace(/^\[|\]$/g, '').replace(/%.*$/, ''),
    port: Number(port),
  }));
}
