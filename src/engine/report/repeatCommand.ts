import type { RunRecord } from '../../model/run.ts';

/** The command line that asks for the same run again, with everything that was measured written out. */
export function repeatCommand(run: RunRecord): string {
  const { request, load } = run;
  const connections = request.connections ?? (typeof load.connections === 'number' ? [load.connections] : load.connections);
  const argv = [
    'benchside',
    'run',
    ...request.targets.flatMap((target) => ['--target', target]),
    ...Object.entries(request.settings).flatMap(([name, values]) => ['--set', `${name}=${values.join(',')}`]),
    ...['--load', request.load],
    ...(request.route === undefined ? [] : ['--route', request.route]),
    ...['--connections', connections.join(',')],
    ...['--duration', String(request.durationS ?? load.durationS)],
    ...['--rounds', String(request.rounds ?? load.rounds)],
    ...['--seed', String(request.seed ?? load.seed)],
  ];
  return argv.map(shellQuoted).join(' ');
}

/** An argument as a POSIX shell takes it literally. */
export function shellQuoted(argument: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
