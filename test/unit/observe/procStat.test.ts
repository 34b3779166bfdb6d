import { describe, expect, it } from 'vitest';
import {
  parseCgroupPaths,
  parseContextSwitches,
  parseDelayedAcks,
  parseHostStat,
  parseMeminfo,
  parseOpenFileLimit,
  parsePageBytes,
  parsePressureAverage10,
  parsePressureTotalUs,
  parseProcStat,
  parseStatm,
  parseStatusSwitches,
  parseWaitedUs,
  parseThrottledPeriods,
} from '../../../src/engine/observe/procStat.ts';

const rest =
  '0 -1 4194560 12 34 0 0 150 25 300 60 20 0 14 0 105029 3133440 410 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0';

describe('/proc/<pid>/stat', () => {
  it('gives parents, times of its own and of reaped children, threads and start', () => {
    expect(parseProcStat(`7224 (node) S 7000 7222 3954 ${rest}\n`)).toEqual({
      pid: 7224,
      command: 'node',
      state: 'S',
      parent: 7000,
      group: 7222,
      session: 3954,
      ownTicks: 175,
      reapedTicks: 360,
      threads: 14,
      startTicks: 105029,
    });
  });

  it.each(['postgres: writer', 'a) R 1 2 3 (b', '(sd-pam)', ') ) (', ''])('is read in spite of the command %j', (command) => {
    const parsed = parseProcStat(`42 (${command}) R 7 8 9 ${rest}`);
    expect(parsed).toMatchObject({ command, state: 'R', parent: 7, group: 8, session: 9, threads: 14 });
  });

  it.each(['', '42', '42 (cut', '42 (cut) R 7', 'x (y) R 1 2 3'])('is nothing when it is %j', (text) => {
    expect(parseProcStat(text)).toBeNull();
  });
});

describe('other files of /proc', () => {
  it('status gives the switches of a thread', () => {
    expect(parseStatusSwitches('Threads:\t1\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t25\n')).toEqual({
      voluntary: 150,
      involuntary: 25,
    });
    expect(parseStatusSwitches('Name:\tcat\n')).toBeNull();
  });

  it('statm tells private from shared pages', () => {
    expect(parseStatm('765 427 399 5 0 123 0\n')).toEqual({ anonymousPages: 28, sharedPages: 399 });
    expect(parseStatm('')).toBeNull();
  });

  it('stat sums work, interrupts, idleness and steal; guests are within user', () => {
    expect(parseHostStat('cpu  100 20 30 1000 50 3 4 7 90 10\ncpu0 1 1 1 1 1 1 1 1 1 1\n')).toEqual({
      processes: 150,
      user: 120,
      interrupts: 7,
      idle: 1050,
      ioWait: 50,
      steal: 7,
    });
    expect(parseHostStat('cpu 1 2 3 4\n')).toEqual({ processes: 6, user: 3, interrupts: 0, idle: 4, ioWait: 0, steal: 0 });
    expect(parseHostStat('intr 5\n')).toBeNull();
  });

  it('schedstat gives for how long a thread was ready and waited', () => {
    expect(parseWaitedUs('828816 4967336 2\n')).toBeCloseTo(4967.336, 6);
    expect(parseWaitedUs('')).toBeNull();
  });

  it('stat counts the context switches of the machine', () => {
    expect(parseContextSwitches('cpu 1 2 3 4\nintr 77 1 0\nctxt 123456\nbtime 1\n')).toBe(123_456);
    expect(parseContextSwitches('cpu 1 2 3 4\n')).toBeNull();
    const netstat = 'TcpExt: TW DelayedACKs ListenDrops\nTcpExt: 7 61 0\nIpExt: InOctets\nIpExt: 9\nMPTcpExt: DelayedACKs\nMPTcpExt: 5\n';
    expect(parseDelayedAcks(netstat)).toBe(61);
    expect(parseDelayedAcks('IpExt: InOctets\nIpExt: 9\n')).toBeNull();
  });

  it('meminfo gives bytes', () => {
    expect(parseMeminfo('MemTotal:       8000 kB\nMemFree: 100 kB\nMemAvailable:   5000 kB\n')).toEqual({
      availableBytes: 5_120_000,
      totalBytes: 8_192_000,
    });
    expect(parseMeminfo('MemTotal: 8000 kB\n')).toBeNull();
  });

  it('pressure gives the time in which some task waited', () => {
    const text = 'some avg10=12.50 avg60=0.90 avg300=0.66 total=12254215\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n';
    expect(parsePressureTotalUs(text)).toBe(12_254_215);
    expect(parsePressureAverage10(text)).toBe(12.5);
    expect(parsePressureTotalUs('')).toBeNull();
  });

  it('cpu.stat of both versions gives throttled periods', () => {
    expect(parseThrottledPeriods('nr_periods 9\nnr_throttled 4\nthrottled_time 0\n')).toBe(4);
    expect(parseThrottledPeriods('usage_usec 5\nuser_usec 3\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0\n')).toBe(0);
    expect(parseThrottledPeriods('usage_usec 5\n')).toBeNull();
  });

  it('cgroup gives the path of the cpu controller and of version 2', () => {
    expect(parseCgroupPaths('3:memory:/m\n2:cpu,cpuacct:/a:b\n1:cpuset:/no\n0::/user.slice/x\n')).toEqual({
      v1: '/a:b',
      v2: '/user.slice/x',
    });
    expect(parseCgroupPaths('0::/\n')).toEqual({ v1: null, v2: '/' });
    expect(parseCgroupPaths('')).toEqual({ v1: null, v2: null });
  });

  it('limits gives the soft limit of open files', () => {
    expect(parseOpenFileLimit('Max open files            1024                 524288               files     \n')).toBe(1024);
    expect(parseOpenFileLimit('Max open files            unlimited            unlimited            files     \n')).toBeNull();
  });

  it('auxv gives the page size', () => {
    const vector = Buffer.alloc(48);
    [3n, 99n, 6n, 65_536n].forEach((value, index) => vector.writeBigUInt64LE(value, index * 8));
    expect(parsePageBytes(vector)).toBe(65_536);
    expect(parsePageBytes(Buffer.alloc(7))).toBe(4096);
  });
});
