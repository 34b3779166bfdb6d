import { describe, expect, it } from 'vitest';
import { splitArguments, titleOf } from '../../../../src/engine/record/jvm/listJvms.ts';
import { attachIsDisabled, parseStatus } from '../../../../src/engine/record/jvm/jvmProcess.ts';
import { isOn, majorVersion, parseVersion } from '../../../../src/engine/record/jvm/jvmRuntime.ts';
import { mappedFiles } from '../../../../src/engine/record/jvm/memoryMaps.ts';
import { parsePerformanceData } from '../../../../src/engine/record/jvm/performanceData.ts';

/** A performance data file as HotSpot writes it: 32 bytes, then entries of 20 bytes, name and value. */
function performanceData(entries: Record<string, string>): Buffer {
  const parts = Object.entries(entries).map(([name, value]) => {
    const nameBytes = Buffer.from(`${name}\0`);
    const valueBytes = Buffer.from(`${value}\0`);
    const head = Buffer.alloc(20);
    head.writeInt32LE(20 + nameBytes.length + valueBytes.length, 0);
    head.writeInt32LE(20, 4);
    head.writeInt32LE(valueBytes.length, 8);
    head.write('B', 12, 'latin1');
    head.writeInt32LE(20 + nameBytes.length, 16);
    return Buffer.concat([head, nameBytes, valueBytes]);
  });
  const header = Buffer.alloc(32);
  header.writeUInt32BE(0xcafec0c0, 0);
  header[4] = 1;
  header[5] = 2;
  header.writeInt32LE(32, 24);
  header.writeInt32LE(parts.length, 28);
  return Buffer.concat([header, ...parts]);
}

const told = {
  'sun.rt.javaCommand': 'server/app.jar --port 80',
  'java.rt.vmArgs': '-Xmx64m -XX:+DisableAttachMechanism',
  'java.property.java.version': '21.0.8',
  'sun.rt.internalVersion': 'of no interest',
};

describe('the performance data of a JVM', () => {
  it('tells command, options and version', () => {
    expect(parsePerformanceData(performanceData(told))).toEqual({
      command: 'server/app.jar --port 80',
      options: '-Xmx64m -XX:+DisableAttachMechanism',
      version: '21.0.8',
    });
  });

  it('cut anywhere, or with any byte changed, is read or refused', () => {
    const whole = performanceData(told);
    for (let length = 0; length < whole.length; length += 1) {
      const cut = parsePerformanceData(whole.subarray(0, length));
      if (length < 32) expect(cut).toBeNull();
    }
    for (let at = 0; at < whole.length; at += 1) {
      for (const value of [0, 0x7f, 0xff]) {
        const changed = Buffer.from(whole);
        changed[at] = value;
        const facts = parsePerformanceData(changed);
        if (facts !== null) expect((facts.command ?? '').length + facts.options.length).toBeLessThan(2 * whole.length);
      }
    }
  });
});

describe('/proc/<pid>/status', () => {
  const text = (caught: string): string =>
    `Name:\tjava\nState:\tS (sleeping)\nPid:\t4711\nNSpid:\t4711\t7\nUid:\t1000\t1001\t1000\t1000\nGid:\t100\t101\t100\t100\nSigCgt:\t${caught}\n`;

  it('tells the pid inside a container, the effective user, and whether SIGQUIT is handled', () => {
    expect(parseStatus(text('0000000101005ccd'))).toEqual({ state: 'S', namespacePid: 7, uid: 1001, gid: 101, catchesQuit: true });
    expect(parseStatus(text('0000000101005cc9'))?.catchesQuit).toBe(false);
    expect(parseStatus(text('0000000000000000'))?.catchesQuit).toBe(false);
  });

  it('is not believed when anything is missing', () => {
    expect(parseStatus('')).toBeNull();
    expect(parseStatus(text('nonsense'))).toBeNull();
    expect(parseStatus(text('0').replace('Uid', 'Uxx'))).toBeNull();
  });
});

describe('options of a JVM', () => {
  it('the last one about attaching counts', () => {
    expect(attachIsDisabled('-Xmx1g')).toBe(false);
    expect(attachIsDisabled('-XX:+DisableAttachMechanism -Xmx1g')).toBe(true);
    expect(attachIsDisabled('-XX:+DisableAttachMechanism -XX:-DisableAttachMechanism')).toBe(false);
  });

  it('a flag is on only by its full name', () => {
    expect(isOn('-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints ', 'DebugNonSafepoints')).toBe(true);
    expect(isOn('-XX:+DebugNonSafepointsAlso', 'DebugNonSafepoints')).toBe(false);
    expect(isOn('-XX:-DebugNonSafepoints', 'DebugNonSafepoints')).toBe(false);
  });

  it('versions are read as JDKs of all ages write them', () => {
    expect(parseVersion('OpenJDK 64-Bit Server VM version 17.0.15+6-Debian-1deb12u1\nJDK 17.0.15\n')).toBe('17.0.15');
    expect(parseVersion('')).toBeNull();
    expect(['1.8.0_402', '8.0_402', '17.0.15', '25', '25-ea', '', null].map(majorVersion)).toEqual([8, 8, 17, 25, 25, null, null]);
  });
});

describe('the title of a JVM', () => {
  it('is what it says itself, without folders', () => {
    expect(titleOf(['java'], '/srv/app/server.jar --secret=1')).toBe('server.jar');
    expect(titleOf(['java'], 'bulletin.Main a b')).toBe('bulletin.Main');
  });

  it('is found in the command line else', () => {
    const titles = [
      ['java', '-Xmx1g', '-jar', 'target/app.jar', 'x'],
      ['java', '-cp', 'a.jar:b.jar', 'org.example.Main'],
      ['java', '--module-path', 'mods', '-m', 'app/org.example.Main'],
      ['/usr/bin/java', '@options', '-Dx=y', 'Main'],
      ['java'],
    ].map((argv) => titleOf(argv, null));
    expect(titles).toEqual(['app.jar', 'org.example.Main', 'app/org.example.Main', 'Main', 'java']);
  });

  it('arguments keep their blanks', () => {
    expect(splitArguments('java\0-Dname=a b\0Main\0')).toEqual(['java', '-Dname=a b', 'Main']);
  });
});

it('libraries that were replaced on the disk are still known by their path', () => {
  const text = [
    '7ff538c00000-7ff538c7b000 r-xp 00000000 fe:00 10018963                   /opt/a b/libjvm.so',
    '7ff538c7b000-7ff538c7c000 r--p 00000000 fe:00 10018963                   /opt/a b/libjvm.so',
    '7ff538c80000-7ff538c90000 r-xp 00000000 fe:00 10018964                   /tmp/libasyncProfiler.so (deleted)',
    '7fff00000000-7fff00001000 rw-p 00000000 00:00 0                          [stack]',
    '',
  ].join('\n');
  expect(mappedFiles(text)).toEqual(['/opt/a b/libjvm.so', '/tmp/libasyncProfiler.so']);
});
