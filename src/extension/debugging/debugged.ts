import type { LocalProcess } from '../../model/domain/recording.ts';

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
