import { describe, expect, it } from 'vitest';
import { systemTools } from '../../../src/engine/supervise/system/ownSystem.ts';
import { familyOf } from '../../../src/engine/supervise/system/systemTools.ts';

/** The tools of a system whose programs print this; what they were asked for is kept. */
function recorded(platform: NodeJS.Platform, output: string | null) {
  const asked: string[] = [];
  const tools = systemTools(platform, (program, args) => {
    asked.push([program, ...args].join(' '));
    return output;
  });
  if (tools === null) throw new Error(`nothing is known of ${platform}`);
  return { tools, asked };
}

const ps = '    1     0     1\n  501   320   501\n  502   501   501\n  640   502   640\n  777     1   777\n';
const lsof = 'p501\nf23\nn127.0.0.1:3000\nf24\nn[::1]:3000\np640\nf7\nn*:5432\n';
const netstat = [
  '',
  'Aktive Verbindungen',
  '',
  '  Proto  Lokale Adresse         Remoteadresse          Status           PID',
  '  TCP    0.0.0.0:135            0.0.0.0:0              ABHÖREN          1096',
  '  TCP    127.0.0.1:3000         0.0.0.0:0              ABHÖREN          8424',
  '  TCP    127.0.0.1:3000         127.0.0.1:50412        HERGESTELLT      8424',
  '  TCP    [::1]:5432             [::]:0                 ABHÖREN          9120',
  '  TCP    [fe80::1%12]:80        [::]:0                 ABHÖREN          4',
  '  UDP    0.0.0.0:5353           *:*                                    2212',
  '',
].join('\r\n');
const rows = [
  '4 0 133765000000000000',
  '8424 812 133765432100000000',
  '9120 8424 133765432200000000',
  '812 4 133765999900000000',
  '30 9120 ',
  '',
].join('\r\n');

describe('macOS', () => {
  it('tells processes by ps', () => {
    const { tools, asked } = recorded('darwin', ps);
    expect(tools.processes()?.slice(1, 3)).toEqual([
      { pid: 501, ppid: 320, pgid: 501 },
      { pid: 502, ppid: 501, pgid: 501 },
    ]);
    expect(asked).toEqual(['ps -A -o pid=,ppid=,pgid=']);
  });

  it('tells who listens by lsof, of all addresses both kinds', () => {
    const { tools, asked } = recorded('darwin', lsof);
    expect(tools.listeners()).toEqual([
      { pid: 501, host: '127.0.0.1', port: 3000 },
      { pid: 501, host: '::1', port: 3000 },
      { pid: 640, host: '0.0.0.0', port: 5432 },
      { pid: 640, host: '::', port: 5432 },
    ]);
    expect(asked).toEqual(['lsof -nP -iTCP -sTCP:LISTEN -Fpn']);
  });
});

describe('Windows', () => {
  it('tells when a process was started, and that there is none', () => {
    const { tools, asked } = recorded('win32', '133765432100000000\r\n');
    expect(tools.startTime(8424)).toBe('133765432100000000');
    expect(asked[0]).toMatch(/^powershell\.exe .*-NonInteractive -Command .*'ProcessId=8424'/);
    expect(recorded('win32', 'none\r\n').tools.startTime(8424)).toBe('none');
    expect(recorded('win32', 'Get-CimInstance : Access denied').tools.startTime(8424)).toBeNull();
  });

  it('tells who listens by netstat, whatever the language of its states', () => {
    const { tools, asked } = recorded('win32', netstat);
    expect(tools.listeners()).toEqual([
      { pid: 1096, host: '0.0.0.0', port: 135 },
      { pid: 8424, host: '127.0.0.1', port: 3000 },
      { pid: 9120, host: '::1', port: 5432 },
      { pid: 4, host: 'fe80::1', port: 80 },
    ]);
    expect(asked).toEqual(['netstat.exe -ano']);
  });

  it('takes no process for the parent of an older one, whose parent had its number before', () => {
    const { tools } = recorded('win32', rows);
    expect(tools.processes()).toEqual([
      { pid: 4, ppid: 0, pgid: 0 },
      { pid: 8424, ppid: 0, pgid: 0 },
      { pid: 9120, ppid: 8424, pgid: 0 },
      { pid: 812, ppid: 4, pgid: 0 },
      { pid: 30, ppid: 0, pgid: 0 },
    ]);
  });
});

describe('a system', () => {
  it.each(['darwin', 'win32'] as const)('%s whose programs cannot be run says nothing', (platform) => {
    const { tools } = recorded(platform, null);
    expect([tools.startTime(1), tools.processes(), tools.listeners()]).toEqual([null, null, null]);
  });
  it('that is Linux, or not known, is asked in no such way', () => {
    expect([systemTools('linux'), systemTools('freebsd')]).toEqual([null, null]);
  });
});

describe('a family of processes', () => {
  it('is a group and what its members have started in groups of their own', () => {
    expect(familyOf(recorded('darwin', ps).tools.processes() ?? [], 501)).toEqual([501, 502, 640]);
  });
  it('descends from its first where there are no groups', () => {
    expect(familyOf(recorded('win32', rows).tools.processes() ?? [], 8424)).toEqual([8424, 9120]);
  });
});
