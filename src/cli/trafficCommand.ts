import { progressOf } from '../model/protocol/progress.ts';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../model/domain/failure.ts';
import type { ParamsInput } from '../model/protocol/protocol.ts';
import type { Traffic } from '../model/domain/traffic.ts';
import { trafficLines } from '../model/presentation/trafficWords.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { confirm } from './confirm.ts';
import type { EngineCommand } from './command.ts';
import { type Terminal, isThere, writing } from './terminal.ts';
import type { trafficCommand } from './trafficOptions.ts';

const folderName = 'profiles';

/**
 * `benchside traffic`: says what recorded traffic holds, and writes the load profile that follows from it. A file that is there already is only overwritten
 * when a person agrees.
 */
export const traffic: EngineCommand<typeof trafficCommand> = async (command, engine, terminal) => {
  const { files, record, target, output, profileName: name, writes, asRecorded, json, workspace } = command;
  const { write } = terminal;
  const wishes = { name, writes: writes === 'all' ? ('all' as const) : [...writes], target, asRecorded };
  // Ctrl-C ends a recording, and what follows is not cancelled by it.
  const signal = record === null ? terminal.signal : new AbortController().signal;
  const read =
    record === null
      ? await engine.request('traffic/read', { files: files.map((file) => path.resolve(file)), ...wishes }, signal)
      : await recorded(record, command.listen, wishes, { engine, terminal });
  const inFolder = path.join(path.resolve(workspace), folderName, `${name}.json`);
  const file = output === null ? inFolder : path.resolve(output);
  if (!json) for (const line of trafficLines(read)) terminal.print(line);
  if (isThere(file) && (await confirm(`${file} is there already. Overwrite it?`, signal)) !== true)
    throw failure(
      'output-not-written',
      `${file} is there already, and was not overwritten.`,
      'Name another file with -o, or move it away.',
    );
  writing('output-not-written', `${file} could not be written`, () => {
    mkdirSync(path.dirname(file), { recursive: true });
    write(file, read.text);
  });
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
};

/** Records what goes through a proxy until Ctrl-C. A target is started for it and stopped afterwards. */
async function recorded(
  record: number | string,
  listen: number | null,
  wishes: ParamsInput<'traffic/stop'>,
  { engine, terminal }: { engine: EngineClient; terminal: Terminal },
): Promise<Traffic> {
  const { signal, tell } = terminal;
  const port = typeof record === 'number' ? record : (await engine.request('target/start', { id: record }, signal)).port;
  const seen = progressOf(engine, 'traffic', ({ message }) => tell(message));
  try {
    const proxy = await engine.request('traffic/record', { port, listen }, signal);
    tell(`Recording: use http://127.0.0.1:${proxy.port} in place of port ${port}, by hand or with your tests. Ctrl-C ends it.`);
    if (!signal.aborted) await once(signal, 'abort');
    return await engine.request('traffic/stop', wishes);
  } finally {
    seen.dispose();
    if (typeof record === 'string') await engine.request('target/stop', { id: record }).catch(() => undefined);
  }
}
