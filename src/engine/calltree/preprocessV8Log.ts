import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { damaged, tooLarge } from '../../calltree/treeLimits.ts';
import { childEnvironment } from '../supervise/environment.ts';
import { runProgram } from '../supervise/runTool.ts';
import { Supervisor } from '../supervise/supervisor.ts';
import { maxJsonBytes } from './jsonDocument.ts';

const timeoutMs = 120_000;
/** Libraries that a log names are not read: the log may be from another machine, whose libraries differ. */
const elsewhere = '/not-looked-at/';

/** Has Node resolve the addresses of a log of V8, in a process of its own; fails with `profile-damaged`, `profile-too-large` or `program-stuck`. */
export async function preprocessV8Log(bytes: Uint8Array): Promise<Uint8Array> {
  const folder = await mkdtemp(path.join(tmpdir(), 'benchside-v8log-'));
  try {
    const file = path.join(folder, 'v8.log');
    await writeFile(file, readableByAll(bytes), { mode: 0o600 });
    const lines: string[] = [];
    let length = 0;
    const { code } = await runProgram(
      new Supervisor(),
      {
        name: 'node --prof-process',
        kind: 'tool',
        argv: [process.execPath, '--prof-process', '--preprocess', file],
        cwd: folder,
        env: childEnvironment({ ELECTRON_RUN_AS_NODE: '1' }),
        captureLines: (stream, line) => {
          length += line.length;
          if (stream === 'stdout' && length <= maxJsonBytes) lines.push(line);
        },
      },
      { timeoutMs },
    );
    if (length > maxJsonBytes) throw tooLarge(`more than ${maxJsonBytes / 1024 / 1024} MB once its addresses are resolved`);
    const text = lines.join('');
    // A warning about another version of V8 precedes it.
    const start = text.indexOf('{');
    if (code !== 0 || start === -1) throw damaged('V8 log', 'Node cannot process it');
    return Buffer.from(text.slice(start).replaceAll(elsewhere, ''));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How code was compiled, as V8 13 and later say it: with a mark for code that was entered in a loop, and one for code of one context. */
const marker = /^(code-creation,.*,)o?([~^+*])'?(\r?)$/gm;

/**
 * The log as Node of any version reads it: without the libraries of a machine, and with the marks of compiled code that all versions know. One that does not
 * know a mark leaves the function out, and its ticks are nobody’s.
 */
function readableByAll(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text
    .replace(
      /^shared-library,"?([^",\n]*)"?,/gm,
      (_line, library: string) => `shared-library,${elsewhere}${path.posix.basename(library.replaceAll('\\', '/'))},`,
    )
    .replace(marker, '$1$2$3');
}
