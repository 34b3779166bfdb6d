// Of a program of macOS that holds the code of several processors, the code of one: what `lipo -thin` writes, on any machine.
// Source: mach-o/fat.h: a header (magic, count) and entries of five words (processor, its kind, offset, size, alignment), big-endian.
const fatMagic = 0xcafebabe;
const processors = { x64: 0x01000007, arm64: 0x0100000c };
/** A Java class begins with the same four bytes, and a version that is larger. */
const mostProcessors = 8;

/** The bytes for this processor; null where the file is of one processor only, or none of it is this. */
export function thinMachO(bytes, arch) {
  if (bytes.length < 8 || bytes.readUInt32BE(0) !== fatMagic || bytes.readUInt32BE(4) > mostProcessors) return null;
  for (let entry = 8; entry < 8 + 20 * bytes.readUInt32BE(4); entry += 20) {
    if (bytes.readUInt32BE(entry) !== processors[arch]) continue;
    const [offset, size] = [bytes.readUInt32BE(entry + 8), bytes.readUInt32BE(entry + 12)];
    return bytes.subarray(offset, offset + size);
  }
  return null;
}
