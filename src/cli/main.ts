import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { userStorageDir } from '../agents/userStorage.ts';
import type { Failure } from '../model/domain/failure.ts';
import { isUsage } from '../model/domain/failureCodes.ts';
import { routeCheckText } from './routeCheckText.ts';
import { Output } from './output.ts';

const exitCodes = { done: 0, failed: 1, usage: 2 } as const;
const assetsDir = path.resolve(__dirname, '..');

const output = new Output(process.stdout, process.stderr);

function printFailure(failure: Failure): void {
  if (failure.routes !== undefined) {
    output.tell(routeCheckText(failure.routes));
    return;
  }
  output.tell(`${failure.message}\n${failure.cure}`);
  if (failure.detail !== undefined && failure.detail !== '') output.tell(failure.detail.replace(/^/gm, '  '));
}

async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  // Loaded at first need: most of a start is the making of schemas.
  const { toFailure } = await import('../model/domain/failure.ts');
  const { parseCommand } = await import('./arguments.ts');
  let parsed: ReturnType<typeof parseCommand>;
  try {
    parsed = parseCommand(argv, output.columns);
  } catch (error) {
    printFailure(toFailure(error));
    return exitCodes.usage;
  }
  if (parsed.say !== undefined) {
    output.print(parsed.say);
    return exitCodes.done;
  }
  const { given: command, carryOut, measures } = parsed;
  const { workspace } = command;
  if (statSync(workspace, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const cure = 'Name the folder of your service with --workspace.';
    return fail({ code: 'usage', message: `There is no folder ${workspace}.`, cure }, command.json);
  }
  const enginePath = path.join(__dirname, 'engine.cjs');
  try {
    if (carryOut.by === 'itself') return await carryOut.run({ assetsDir, enginePath, storageDir: userStorageDir }, output);
    const storageDir = userStorageDir();
    const cancel = new AbortController();
    let interrupts = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        interrupts += 1;
        cancel.abort();
        // The engine notices the end of its pipe and stops everything, so that the impatient may leave. Only what measures has something to save.
        if (interrupts > 1) process.exit(exitCodes.failed);
        if (!measures) process.exit(fail(toFailure(cancel.signal.reason), command.json));
      });
    }
    outlivesReader = measures;
    if (measures) output.line?.show('Starting …');
    const { startEngine } = await import('../engine/rpc/engineClient.ts');
    const { engineParams } = await import('./commonOptions.ts');
    const { agreeingEngine } = await import('./agreeingEngine.ts');
    const { confirm } = await import('./confirm.ts');
    const engine = await startEngine({
      nodePath: process.execPath,
      enginePath,
      signal: cancel.signal,
      initialize: { ...engineParams(command, assetsDir, storageDir), k6: command.k6 },
    });
    output.line?.clear();
    for (const warning of engine.warnings) output.tell(warning);
    try {
      const ask = (question: string): Promise<boolean | null> => {
        output.line?.clear();
        return confirm(question, cancel.signal);
      };
      const agreeing = agreeingEngine(engine, { hosts: command.allowHosts, sql: command.allowSql, ask });
      return await carryOut.run(agreeing, { ...output, signal: cancel.signal, write: writeFileSync });
    } finally {
      await engine.dispose();
    }
  } catch (error) {
    return fail(toFailure(error), command.json);
  }
}

/** Says what failed, to people and, where it was asked for, to programs. */
function fail(failure: Failure, json: boolean): number {
  if (json) output.json({ failure });
  printFailure(failure);
  return isUsage(failure.code) ? exitCodes.usage : exitCodes.failed;
}

/** What the reader of our output, who may close it as `head` does, does not end: a measurement, whose run is stored all the same. */
let outlivesReader = false;
process.stdout.on('error', () => {
  if (!outlivesReader) process.exit(exitCodes.done);
});
// Without progress and remarks the answer is still asked for.
process.stderr.on('error', () => undefined);

void main().then((code) => {
  process.exitCode = code;
});
