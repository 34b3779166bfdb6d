import { readHead } from '../files/boundedFile.ts';

const headBytes = 4096;

/** The name of a file's format for people, by its beginning: the file has been read as one of them already. */
export function formatName(file: string): string {
  const head = readHead(file, headBytes);
  if (head.subarray(0, 3).toString('latin1') === 'FLR') return 'Java Flight Recorder';
  if (head[0] === 0x1f && head[1] === 0x8b) return /\.(?:pb\.gz|pprof)$/.test(file) ? 'pprof' : 'packed recording';
  const text = head.toString('utf8').trimStart();
  if (!text.startsWith('{')) return text.includes(';') || /\s\d+\s*$/m.test(text) ? 'collapsed stacks' : 'pprof';
  if (/"(?:shared|profiles|\$schema)"/.test(text)) return 'speedscope';
  return /"head"/.test(text) ? 'V8 heap profile' : 'V8 CPU profile';
}
