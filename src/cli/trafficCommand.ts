import { lstatSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../model/failure.ts';
import { trafficLines } from '../model/trafficWords.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { confirm } from './confirm.ts';
import type { Of, Terminal } from './terminal.ts';

const folderName = 'profiles';

/**
 * `benchside traffic`: says what recorded traffic holds, and writes the load profile that follows from it. A file that is there already is only overwritten
 * when a person agrees.
 */
export async function traffic(command: Of<'traffic'>, engine: EngineClient, terminal: Terminal): Promise<number> {
  const { files, target, output, profileName: name, writes, asRecorded, json, workspace } = command;
  const { signal, write } = terminal;
  const read = await engine.request(
    'traffic/read',
    { files: files.map((file) => path.resolve(file)), name, writes: writes === 'all' ? 'all' : [...writes], target, asRecorded },
    signal,
  );
  const inFolder = path.join(path.resolve(workspace), folderName, `${name}.json`);
  const file = output === null ? inFolder : path.resolve(output);
  if (!json) for (const line of trafficLines(read)) terminal.print(line);
  if (isThere(file) && (await confirm(`${file} is there already. Overwrite it?`, signal)) !== true)
    throw failure(
      'output-not-written',
      `${file} is there already, and was not overwritten.`,
      'Name another file with -o, or move it away.',
    );
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    write(file, read.text);
  } catch (error) {
    throw failure('output-not-written', `${file} could not be written: ${error instanceof Error ? error.message : String(error)}.`);
  }
  if (json) terminal.json({ traffic: read, written: file });
  else {
    const found = path.dirname(file) === path.dirname(inFolder);
    terminal.tell(
      found
        ? `Written: ${file}. Put it on with: benchside run --load ${name}`
        : `Written: ${file}. In the folder “${folderName}” of the workspace it can be put on with --load ${name}.`,
    );
  }
  return 0;
}

/** A dangling link exists, too: writing through it would write elsewhere. */
function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
