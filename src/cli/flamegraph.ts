import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openProfile } from '../engine/calltree/openProfile.ts';
import { chooseEvent } from '../engine/calltree/totals.ts';
import { writeCollapsed } from '../engine/calltree/writeCollapsed.ts';
import { writeFunctionJson } from '../engine/calltree/writeFunctionJson.ts';
import { writePprof } from '../engine/calltree/writePprof.ts';
import { writeSpeedscope } from '../engine/calltree/writeSpeedscope.ts';
import { writeSvg } from '../engine/calltree/writeSvg.ts';
import type { CallTree, EventColumn } from '../model/callTree.ts';
import { failure } from '../model/failure.ts';
import type { Command } from './arguments.ts';

type FlameGraphCommand = Extract<Command, { name: 'flamegraph' }>;

/** Reads a recording and writes it in another form, to a file or to `stdout`. Needs no engine: nothing is started and nothing is kept. */
export async function flameGraph(command: FlameGraphCommand, stdout: NodeJS.WritableStream): Promise<void> {
  const tree = await openProfile(path.resolve(command.file));
  const output = render(command, tree, chooseEvent(tree, command.event));
  if (command.output === null) {
    await new Promise<void>((resolve) => stdout.write(output, () => resolve()));
    return;
  }
  const file = path.resolve(command.output);
  try {
    writeFileSync(file, output);
  } catch (error) {
    throw failure(
      'output-not-written',
      `The flame graph could not be written to ${file}: ${error instanceof Error ? error.message : String(error)}.`,
      'Name a file in a folder that exists and that you may write.',
    );
  }
}

/** pprof and speedscope hold several events; they get all of them unless one was asked for. */
function render({ format, event: asked, file }: FlameGraphCommand, tree: CallTree, event: EventColumn): string | Uint8Array {
  const events = asked === null ? tree.events : [event];
  switch (format) {
    case 'svg':
      return writeSvg(tree, event, path.basename(file));
    case 'collapsed':
      return writeCollapsed(tree, event);
    case 'pprof':
      return writePprof(tree, events);
    case 'speedscope':
      return writeSpeedscope(tree, events, path.basename(file));
    case 'json':
      return writeFunctionJson(tree, event);
  }
}
