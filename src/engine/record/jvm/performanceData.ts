/**
 * What a HotSpot JVM reports of itself in the file `hsperfdata_<user>/<pid>`, which it maps and keeps up to date: nothing is asked of the JVM. Layout:
 * perfMemory.hpp of HotSpot, version 2 of the format.
 */
export interface JvmFacts {
  /** Main class or jar with its arguments, as the JVM was started. */
  command: string | null;
  /** Options of the JVM, those of JAVA_TOOL_OPTIONS and of argument files among them. */
  options: string;
  /** `java.version`, such as 17.0.15. */
  version: string | null;
}

const magic = 0xcafec0c0;
const byteType = 'B'.charCodeAt(0);
const maxEntries = 4096;

const names = {
  command: 'sun.rt.javaCommand',
  options: 'java.rt.vmArgs',
  flags: 'java.rt.vmFlags',
  version: 'java.property.java.version',
  vmVersion: 'java.property.java.vm.version',
} as const;

/** Reads such a file; null for anything that is none. */
export function parsePerformanceData(bytes: Buffer): JvmFacts | null {
  if (bytes.length < 32 || bytes.readUInt32BE(0) !== magic || bytes[5] !== 2) return null;
  const wanted = new Set<string>(Object.values(names));
  const found = new Map<string, string>();
  const isLittle = bytes[4] === 1;
  const int = (at: number): number => (isLittle ? bytes.readInt32LE(at) : bytes.readInt32BE(at));
  const entries = Math.min(int(28), maxEntries);
  let at = int(24);
  for (let index = 0; index < entries; index += 1) {
    if (at < 32 || at + 20 > bytes.length) break;
    const length = int(at);
    if (length < 20 || at + length > bytes.length) break;
    const name = terminated(bytes, at + int(at + 4), at + length);
    if (bytes[at + 12] === byteType && wanted.has(name)) {
      found.set(name, terminated(bytes, at + int(at + 16), Math.min(at + length, at + int(at + 16) + int(at + 8))));
    }
    at += length;
  }
  const options = [found.get(names.flags), found.get(names.options)].filter((text) => text !== undefined && text !== '').join(' ');
  return { command: found.get(names.command) ?? null, options, version: found.get(names.version) ?? found.get(names.vmVersion) ?? null };
}

function terminated(bytes: Buffer, from: number, to: number): string {
  if (from < 0 || from >= to) return '';
  const zero = bytes.indexOf(0, from);
  return bytes.toString('utf8', from, zero < 0 || zero > to ? to : zero);
}
