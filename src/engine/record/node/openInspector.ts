import * as z from 'zod';
import { failure } from '../../../model/domain/failure.ts';
import { parsedJson } from '../../files/parsedJson.ts';
import { smallAnswer } from '../../load/smallAnswer.ts';
import { processIdentity, isSameProcess } from '../../supervise/identity.ts';
import { pause, poll } from '../../supervise/pause.ts';
import { portHolder, processPorts } from '../../targets/listener.ts';
import { type NodeFacts, inspectorOptions, readNodeFacts } from './nodeProcess.ts';

/** How long a process is given to open its inspector: it does so from a thread of its own, even while JavaScript runs. */
const openTimeoutMs = 5_000;
const answerTimeoutMs = 2_000;
const maxAnswerCharacters = 64 * 1024;
const openAtOwnRisk = 'Start it with --inspect=127.0.0.1:0 to have it recorded.';

/** Where the inspector of a process listens, and whether it was we who had it opened. */
export interface OpenInspector {
  url: string;
  port: number;
  openedByUs: boolean;
  facts: NodeFacts;
  /** The ports it listened on before. */
  otherPorts: ReadonlySet<number>;
}

/**
 * Finds the inspector of a running Node process, or has it opened by SIGUSR1. The signal goes only to a process that is known to handle it; any
 * other would end by it. A port is believed only when its socket belongs to that very process.
 */
export async function openInspector(pid: number, signal: AbortSignal): Promise<OpenInspector> {
  const identity = processIdentity(pid);
  const facts = readNodeFacts(pid);
  if (identity === null || facts === null)
    throw failure('process-not-found', `There is no process ${pid}.`, 'It may have ended; choose one that runs.');
  requireReachable(facts);
  const options = inspectorOptions(facts);
  const before = new Set(processPorts(pid));
  const likely = [...before].filter((port) => options.asked || port === options.port || (port >= 9229 && port < 9300));
  const known = await firstInspector(likely);
  if (known !== null) return { ...known, openedByUs: false, facts, otherPorts: before };
  requireSignalSafe(facts);
  if (!isSameProcess(identity)) throw failure('process-not-found', `Process ${pid} has just ended.`, 'Choose one that runs.');
  process.kill(pid, 'SIGUSR1');
  const deadline = performance.now() + openTimeoutMs;
  const holder = portHolder(options.port);
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    if (!isSameProcess(identity))
      throw failure('process-not-found', `Process ${pid} ended while its inspector was opened.`, 'Look at its log.');
    const opened = await firstInspector(processPorts(pid).filter((port) => !before.has(port)));
    if (opened !== null) return { ...opened, openedByUs: true, facts, otherPorts: before };
    // It tries once and gives up at once, so that there is nothing to wait for.
    if (holder !== null && holder !== pid && deadline - performance.now() < openTimeoutMs - 1_000)
      throw failure(
        'inspector-port-taken',
        `The inspector could not be opened: port ${options.port} is used by process ${holder}.`,
        `Close the debugger or inspector of process ${holder}, or start the app with --inspect-port=0.`,
      );
    await pause(25, signal);
  }
  const elsewhere = await firstInspector([...before].filter((port) => !likely.includes(port)));
  if (elsewhere !== null) return { ...elsewhere, openedByUs: false, facts, otherPorts: before };
  throw failure(
    'inspector-closed',
    `Process ${pid} did not open its inspector within ${openTimeoutMs / 1000} s of SIGUSR1: it handles that signal itself, or is stopped.`,
    openAtOwnRisk,
  );
}

/** Why a process cannot be recorded, from what is known without touching it; null when it can. */
export function nodeProblem(facts: NodeFacts): ReturnType<typeof failure> | null {
  try {
    requireReachable(facts);
    const { asked } = inspectorOptions(facts);
    if (!asked) requireSignalSafe(facts);
    return null;
  } catch (error) {
    return error as ReturnType<typeof failure>;
  }
}

function requireReachable(facts: NodeFacts): void {
  if (facts.exe === null) {
    throw failure('process-foreign', `Process ${facts.pid} belongs to another user.`, 'Record as that user, or start the app yourself.');
  }
  if (!facts.sameNetwork) {
    throw failure(
      'process-foreign',
      `Process ${facts.pid} runs in a container with a network of its own.`,
      'Record it from within the container, or start the app outside.',
    );
  }
}

function requireSignalSafe(facts: NodeFacts): void {
  if (!facts.isNode) {
    throw failure(
      'not-node',
      `Process ${facts.pid} runs ${facts.exe ?? 'an unknown program'}, which is not Node; the signal that opens Node's inspector would end it.`,
      'Choose a Node process. An Electron app is recorded when it was started with --inspect=127.0.0.1:0.',
    );
  }
  if (!facts.catchesSigusr1) {
    throw failure(
      'inspector-disabled',
      `Process ${facts.pid} does not handle SIGUSR1 (it is still starting, or was started with --disable-sigusr1); the signal would end it.`,
      `Try again in a moment. ${openAtOwnRisk}`,
    );
  }
}

/** Waits for an inspector of the process on a port other than those; null when there is none in time. */
export function awaitInspector(pid: number, except: ReadonlySet<number>, timeoutMs: number): Promise<{ url: string; port: number } | null> {
  const look = (): ReturnType<typeof firstInspector> => firstInspector(processPorts(pid).filter((port) => !except.has(port)));
  return poll(look, { timeoutMs, everyMs: 20 });
}

async function firstInspector(ports: readonly number[]): Promise<{ url: string; port: number } | null> {
  for (const port of ports) {
    const targets = await smallAnswer(port, '/json/list', { withinMs: answerTimeoutMs, longest: maxAnswerCharacters });
    const parsed = targetsSchema.safeParse(parsedJson(targets ?? ''));
    if (parsed.success) return { url: `ws://127.0.0.1:${port}/${parsed.data[0].id}`, port };
  }
  return null;
}

const targetsSchema = z.tuple([z.object({ type: z.literal('node'), id: z.string().regex(/^[\w-]{1,100}$/) })]).rest(z.unknown());
