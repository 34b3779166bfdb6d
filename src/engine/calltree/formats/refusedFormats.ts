import type { FileHead } from '../fileHead.ts';

/** A form that is not read, its name, and what to do with it. */
interface RefusedFormat {
  label: string;
  sniff: (head: FileHead) => boolean;
  cure: string;
}

/** gperftools' words: 0, 3 (words of the header), 0 or 1 (version), the period; of 4 or 8 bytes, in either order. */
function isGperftools({ bytes }: FileHead): boolean {
  if (bytes.byteLength < 40) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [true, false].some((little) => {
    const short = [0, 4, 8].map((at) => view.getUint32(at, little));
    const long = [0, 8, 16].map((at) => view.getBigUint64(at, little));
    return (
      (/^0,3,[01]$/.test(short.join()) && view.getUint32(12, little) > 0) ||
      (/^0,3,[01]$/.test(long.join()) && view.getBigUint64(24, little) > 0n)
    );
  });
}

/** What people have that is no profile of a form that is read here; those that begin alike come before those that are recognised by their look. */
const refusedFormats: readonly RefusedFormat[] = [
  {
    label: 'a profile of gperftools, the old C++ form of pprof',
    sniff: isGperftools,
    cure: 'Convert it where its program is: “pprof -proto PROGRAM FILE > profile.pb.gz”.',
  },
  {
    label: 'the data of perf',
    sniff: ({ text }) => text.startsWith('PERFILE2'),
    cure: 'Print it: “perf script -i FILE > profile.perf”, and open that.',
  },
  {
    label: 'a heap dump of a JVM',
    sniff: ({ text }) => text.startsWith('JAVA PROFILE'),
    cure: 'Open it with Eclipse MAT or VisualVM; record allocations for a flame graph.',
  },
  {
    label: 'a program',
    sniff: ({ text }) => text.startsWith('\x7fELF') || text.startsWith('MZ'),
    cure: 'Open what a profiler wrote of it.',
  },
  {
    label: 'a page or picture',
    sniff: ({ text }) => /^\s*<(?:!doctype|html|svg|\?xml)/i.test(text),
    cure: 'Open the data that it was made from.',
  },
  {
    label: 'an archive',
    sniff: ({ text }) => /^(?:PK|7z\xbc\xaf|BZh|\xfd7zXZ|\x28\xb5\x2f\xfd)/.test(text),
    cure: 'Unpack it, and open the recording in it.',
  },
];

/** What the file is, for “This is …”. */
export function refusedAs(head: FileHead): { label: string; cure: string | null } {
  const refused = refusedFormats.find(({ sniff }) => sniff(head));
  if (refused !== undefined) return refused;
  if (head.json !== null) return { label: 'JSON', cure: null };
  return { label: /[\x00-\x08\x0e-\x1a]/.test(head.text.slice(0, 4096)) ? 'a binary file' : 'a text', cure: null };
}
