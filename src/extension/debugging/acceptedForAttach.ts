import type { FoundService, RunningAt } from '../../model/domain/detection.ts';
import type { LocalProcess } from '../../model/domain/recording.ts';
import type { Accepted } from '../../model/domain/workspaceText.ts';

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
