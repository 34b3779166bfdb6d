import { present } from '../presentation/present.ts';
import type { Catalog } from '../protocol/protocol.ts';
import { startupStarts } from '../domain/startup.ts';
import { type AgentInput, type AgentToolName, agentTools } from './agentTools.ts';

/** What a person is asked before a tool starts something: a question, and line by line what will be run. */
export interface Confirmation {
  title: string;
  lines: string[];
}

/**
 * The question for a call; null for one that starts nothing, or that would be refused anyway. Nothing of it is escaped. `starts` is everything that
 * benchside.json lets reach a process; `strangers` are versions that HEAD does not descend from.
 */
export function confirmationOf(
  name: AgentToolName,
  input: unknown,
  { targets }: Pick<Catalog, 'targets'>,
  known: { starts?: readonly string[]; strangers?: readonly string[] } = {},
): Confirmation | null {
  if (!agentTools[name].measures) return null;
  const parsed = agentTools[name].input.safeParse(input ?? {});
  if (!parsed.success) return null;
  if (name === 'check_machine')
    return {
      title: 'Check this machine?',
      lines: ['Keeps all cores of this machine busy for about ten seconds. Nothing of the workspace is started.'],
    };
  const asked = parsed.data as Partial<
    AgentInput<'start_run'> & AgentInput<'start_tuning'> & AgentInput<'compare_code'> & AgentInput<'measure_startup'>
  >;
  const only = targets.filter(({ origin }) => origin === 'workspace');
  const target =
    targets.find(({ id }) => id === asked.target) ??
    (!['start_run', 'start_tuning'].includes(name) && only.length === 1 ? only[0] : undefined);
  const what = target?.label ?? (asked.like === undefined ? 'a target' : 'the target of that run');
  const titles: Partial<Record<AgentToolName, string>> = {
    start_run: `Measure ${what}?`,
    start_tuning: `Tune ${what}?`,
    what_would_help: `Try what would help ${what}?`,
    check_leak: `Check whether ${what} leaks?`,
    measure_startup: `Measure the start of ${what}?`,
    compare_code: `Compare two versions of ${what}?`,
  };
  const values = Object.entries(asked.values ?? {}).map(([setting, of]) => `${setting}: ${of.join(', ')}`);
  return {
    title: titles[name] ?? 'Measure?',
    lines: present(
      target?.command === undefined
        ? 'Starts what benchside.json declares, and PostgreSQL where it wants it.'
        : target.command.length === 0
          ? 'Starts nothing: it runs already.'
          : `Starts: ${target.command.join(' ')}`,
      known.starts,
      known.strangers?.map((ref) => `${ref} is not part of the history of HEAD: code that is not in this branch is built and started.`),
      name === 'compare_code' &&
        `Versions: ${asked.base ?? 'HEAD'} and ${asked.head ?? 'the working tree'}, each built in a copy by what benchside.json or its lockfile says. The repository is only read.`,
      asked.like !== undefined && `As in run ${asked.like}, where nothing else is said.`,
      values.length > 0 && `Settings: ${values.join('; ')}`,
      name === 'measure_startup'
        ? `It is started ${asked.starts ?? startupStarts} times and more, each time with some requests to one route.`
        : `Load on 127.0.0.1: profile ${asked.load ?? 'steady'}${asked.connections === undefined ? '' : `, ${asked.connections} connections`}, ${asked.route ?? 'the mix of its routes'}`,
      asked.budgetS !== undefined && `Measuring for at most ${asked.budgetS} s`,
      'You can cancel it at any time; when it ends everything that was started is stopped.',
    ),
  };
}
