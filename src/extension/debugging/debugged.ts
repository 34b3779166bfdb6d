import type { LocalProcess } from '../../model/domain/recording.ts';
import type { FoundService, RunningAt } from '../../model/domain/detection.ts';
import type { Accepted } from '../../model/domain/workspaceText.ts';

/** A debug session's configuration, as the editor has it: whatever its debugger knows. */
export type DebugConfigurationLike = Readonly<Record<string, unknown>>;

const usualInspectorPort = 9229;
const nodeTypes = /^(?:pwa-)?(?:node|node2|node-terminal|extensionHost)$/;

/**
 * The process that is debugged: by its pid or its inspector's port where the configuration names one, else by the program that it was started with, where just one
 * process runs that. `configurations` are those of the session and of the sessions that it belongs to, the innermost first. Null where the process is not known.
 */
export function debuggedProcess(
  configurations: readonly DebugConfigurationLike[],
  processes: readonly LocalProcess[],
): LocalProcess | null {
  const recordable = processes.filter(({ problem }) => problem === null);
  for (const found of [byPid, byInspector, byProgram])
    for (const configuration of configurations) {
      const matching = found(configuration, recordable);
      if (matching.length === 1) return matching[0] ?? null;
    }
  return null;
}

function byPid(configuration: DebugConfigurationLike, processes: readonly LocalProcess[]): LocalProcess[] {
  const pid = Number(configuration['processId'] ?? Number.NaN);
  return processes.filter((process) => process.pid === pid);
}

/** Only where a port is named or attached to: one that was launched has any. */
function byInspector(configuration: DebugConfigurationLike, processes: readonly LocalProcess[]): LocalProcess[] {
  if (!nodeTypes.test(text(configuration['type']))) return [];
  const attached = configuration['request'] === 'attach';
  const port = Number(configuration['port'] ?? configuration['attachSimplePort'] ?? (attached ? usualInspectorPort : Number.NaN));
  const of = ({ command }: LocalProcess): number | null => {
    const option = /(?:^|\s)--inspect(?:-brk|-wait|-port)?(?:=(\S+))?(?=\s|$)/.exec(command);
    return option === null ? null : Number(/(\d+)$/.exec(option[1] ?? '')?.[1] ?? usualInspectorPort);
  };
  return processes.filter((process) => process.runtime === 'node' && of(process) === port);
}

/** Node’s script, Java’s main class or jar. */
function byProgram(configuration: DebugConfigurationLike, processes: readonly LocalProcess[]): LocalProcess[] {
  const type = text(configuration['type']);
  if (type === 'java') {
    // "module/com.shop.Main" names a module, too.
    const main = text(configuration['mainClass']).split('/').at(-1) ?? '';
    return main === ''
      ? []
      : processes.filter(({ runtime, title, command }) => runtime === 'jvm' && (title === main || words(command).includes(main)));
  }
  const program = text(configuration['program']);
  if (!nodeTypes.test(type) || program === '') return [];
  const name = program.split(/[\\/]/).at(-1) ?? '';
  const nodes = processes.filter(({ runtime }) => runtime === 'node');
  const whole = nodes.filter(({ command }) => words(command).includes(program));
  return whole.length > 0 ? whole : nodes.filter(({ command }) => words(command).some((word) => word.split(/[\\/]/).at(-1) === name));
}

function words(command: string): string[] {
  return command.split(/\s+/);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What is debugged now, as a service that runs already. */
export interface DebuggedService {
  process: LocalProcess;
  port: number;
}

/**
 * As a target: with the routes of the service of the folder that runs this program, or with `/` alone and a question where none is known. Which program it is shows
 * in the last word of the command that its files name, such as `src/server.js`.
 */
export function acceptedForAttach({ process, port }: DebuggedService, found: readonly FoundService[]): Accepted {
  const running: RunningAt = { runtime: process.runtime, port, because: `what was debugged: ${process.command}` };
  const own = found.find(({ findings }) =>
    findings.some((one) => {
      const program = one.part === 'command' && one.runtime === process.runtime ? (one.command.at(-1) ?? '') : '';
      return program !== '' && process.command.includes(program.replace(/^\.\//, ''));
    }),
  );
  if (own?.findings.some(({ part }) => part === 'route') === true)
    return { service: { ...own, questions: own.questions.filter(({ part }) => part === 'route') }, findings: own.findings, running };
  const title = process.title.split(' · ')[0] ?? process.title;
  const because = 'nothing in the folder says which routes it answers';
  const service: FoundService = {
    id: own?.id ?? idOf(title),
    label: own?.label ?? title,
    folder: '.',
    because: running.because,
    findings: [
      {
        part: 'route',
        title: 'GET /',
        because,
        sure: false,
        route: { method: 'GET', path: '/', weight: 1, parameters: {}, headers: {} },
      },
    ],
    driver: null,
    questions: [{ part: 'route', text: `${because}: name those that you want to measure.` }],
  };
  return { service, findings: service.findings, running };
}

function idOf(title: string): string {
  const id = title
    .toLowerCase()
    .replace(/\.[cm]?[jt]s$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return /^[a-z]/.test(id) ? id : 'debugged';
}
