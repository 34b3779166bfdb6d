import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryDir } from '../../support/engine.ts';
import type { FieldResult } from './fieldResults.ts';
import type { FieldService } from './fieldService.ts';
import { notInstalled } from './notInstalled.ts';

const goals = { found: 0.95, measured: 0.8, questions: 3 } as const;
const yes = (value: boolean | null): string => (value === null ? '–' : value ? 'yes' : '**no**');

/** Writes docs/field.md from what is stored: the table, and of those that failed the last lines. */
export function writeFieldPage(services: readonly FieldService[], results: readonly FieldResult[]): void {
  const newest = new Map(results.map((one) => [one.service, one]));
  const known = services.flatMap(({ name }) => newest.get(name) ?? []);
  writeFileSync(path.join(repositoryDir, 'docs', 'field.md'), fieldPage(services, known));
}

function fieldPage(services: readonly FieldService[], known: readonly FieldResult[]): string {
  const built = known.filter((one) => one.built);
  const failed = built.filter(({ step }) => step !== 'done');
  return `# In the field

What the product makes of services that others wrote, without an edit of a file. Each is installed at pinned versions in a folder of its own, or is an app of ten to fifty lines around a library of the registries. Then, as a developer would:
\`benchside init\` (is what starts it offered?), \`benchside init -- COMMAND\` (is it seen where it listens, and declared?), \`benchside run\` with a small budget (is every request answered, and do two sizes of its pool take effect?). Questions are answered by what is proposed. Its database address stands in the shell, as a developer has it, and
leads to a PostgreSQL that is not the one it is measured on.

\`npm run bench field\` does it, one service after the other, and goes on where it was broken off; \`--list\`, \`--service=part of a name\`, \`--minutes=60\`.

${summaryTable(built)}

${known.length} of ${services.length} were tried so far${known.length === built.length ? '' : `; ${known.length - built.length} could not be installed or built here`}. Each stands with what the newest try of it gave.

## Node

${detailTable(built.filter(({ runtime }) => runtime === 'node'))}

## JVM

${detailTable(built.filter(({ runtime }) => runtime === 'jvm'))}
${failureList(failed)}${missingList(known.filter((one) => !one.built))}`;
}

function summaryTable(built: readonly FieldResult[]): string {
  const share = (count: number, of: number): string =>
    of === 0 ? 'not tried yet' : `${count} of ${of} (${Math.round((100 * count) / of)} %)`;
  const found = built.filter((one) => one.found).length;
  const measured = built.filter((one) => one.measured && one.questions <= goals.questions).length;
  const pools = built.filter(({ poolFound }) => poolFound !== null);
  const databases = built.filter(({ database }) => database !== null);
  const reached = (count: number, goal: number): string => (built.length > 0 && count / built.length >= goal ? 'yes' : '**no**');
  const rows = [
    ['what', 'measured', 'goal', 'reached'],
    ['---', '---', '---', '---'],
    [
      'offered without a command, by the words that a developer types',
      share(built.filter(({ offered }) => offered === 'same').length, built.length),
      '',
      '',
    ],
    ['found where it listens', share(found, built.length), '≥ 95 %', reached(found, goals.found)],
    ['declared without an edit', share(built.filter((one) => one.declared).length, built.length), '', ''],
    [
      'first measurement without an edit, with at most three questions',
      share(measured, built.length),
      '≥ 80 %',
      reached(measured, goals.measured),
    ],
    ['address of its PostgreSQL found', share(databases.filter(({ database }) => database === true).length, databases.length), '', ''],
    ['pool found and moved', share(pools.filter(({ poolMoved }) => poolMoved === true).length, pools.length), '', ''],
  ];
  return table(rows);
}

function detailTable(results: readonly FieldResult[]): string {
  if (results.length === 0) return 'Not tried yet.';
  const head = [
    'service',
    'offered',
    'found',
    'port',
    'declared',
    'questions',
    'routes',
    'database',
    'measured',
    'pool found',
    'pool moved',
    'init, run, s',
  ];
  const rows = results.map((one) => [
    one.service,
    one.offered === 'same' ? 'yes' : one.offered === 'other' ? 'others' : '**no**',
    yes(one.found),
    one.port ?? '–',
    yes(one.declared),
    String(one.questions),
    `${one.routes.found} of ${one.routes.of}`,
    yes(one.database),
    one.measured ? `${one.requestsPerS ?? 0} req/s` : '**no**',
    yes(one.poolFound),
    yes(one.poolMoved),
    `${Math.round(one.seconds.init)}, ${Math.round(one.seconds.run)}`,
  ]);
  return table([head, head.map(() => '---'), ...rows]);
}

const stepWords: Readonly<Record<FieldResult['step'], string>> = {
  build: 'it was not built',
  offer: 'nothing was offered',
  find: 'it was not found',
  declare: 'it was not declared',
  measure: 'it was not measured',
  done: '',
};

function failureList(failed: readonly FieldResult[]): string {
  if (failed.length === 0) return '';
  const told = failed.map(
    ({ service, step, said, load }) => `- **${service}**: ${stepWords[step]}${busyWords(load)}.\n\n${said.replace(/^/gm, '      ')}\n`,
  );
  return `\n## What did not come to its end, in the product’s own words\n\n${told.join('')}`;
}

/** With so many others running, a limit of time says little of a service. */
function busyWords(load: number | null): string {
  return load === null || load < 4 ? '' : ` (on a machine where ${load} processes wanted each core)`;
}

function missingList(unbuilt: readonly FieldResult[]): string {
  const all = [
    ...notInstalled.map(({ name, why }) => `- ${name}: ${why}`),
    ...unbuilt.map(({ service, said }) => `- ${service}: ${said.split('\n').at(-1) ?? ''}`),
  ];
  return all.length === 0 ? '' : `\n## What could not be installed\n\n${all.join('\n')}\n`;
}

function table(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`).join('\n');
}
