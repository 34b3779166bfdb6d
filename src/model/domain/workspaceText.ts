import { type Finding, type FoundService, type RunningAt, declaredTarget, findingsOf, runningTarget } from './detection.ts';

/** A service and what of it is to be declared. */
export interface Accepted {
  service: FoundService;
  findings: readonly Finding[];
  /** Where it runs already; it is then declared as one that is not started. */
  running?: RunningAt;
}

/**
 * The text of a `benchside.json` that declares these services. A comment at each part says how it is known; what is still a question is a comment at the top of
 * its target. Services of which too little is known are left out.
 */
export function workspaceText(accepted: readonly Accepted[]): string {
  const targets = accepted.flatMap((one) => targetLines(one) ?? []);
  return [
    '// What Benchside can start, put load on and compare in this folder. Completion works everywhere in this file.',
    '{',
    '  "targets": [',
    ...targets.flatMap((lines, index) =>
      lines.map((line, at) => `    ${line}${at === lines.length - 1 && index < targets.length - 1 ? ',' : ''}`),
    ),
    '  ]',
    '}',
    '',
  ].join('\n');
}

/** One more target for the list of a file that is there already: its lines, without a comma after them. */
export function targetText(accepted: Accepted): string | null {
  return (
    targetLines(accepted)?.[0]
      ?.map((line) => `    ${line}`)
      .join('\n') ?? null
  );
}

function targetLines({ service, findings, running }: Accepted): string[][] | null {
  const target = running === undefined ? declaredTarget(service, findings) : runningTarget(service, findings, running);
  if (target === null) return null;
  const lines = ['{', ...service.questions.map(({ text }) => `  // To be looked at: ${oneLine(text)}`)];
  const entries = Object.entries(target);
  for (const [index, [key, value]] of entries.entries()) {
    const comma = index < entries.length - 1 ? ',' : '';
    if (key === 'routes' || key === 'settings') {
      lines.push(...partLines(key, value, findings, comma));
      continue;
    }
    const known = key === 'running' ? (running?.because ?? null) : knownBy(key, findings);
    if (known !== null) lines.push(`  // ${oneLine(known)}`);
    lines.push(`  ${JSON.stringify(key)}: ${compact(value)}${comma}`);
  }
  return [[...lines, '}']];
}

/** A list or a table, each of its lines with how it is known. */
function partLines(key: 'routes' | 'settings', value: unknown, findings: readonly Finding[], comma: string): string[] {
  const rows =
    key === 'routes'
      ? findingsOf(findings, 'route').map(({ because }, index) => ({ because, text: compact((value as unknown[])[index]) }))
      : [...new Map(findingsOf(findings, 'setting').map((finding) => [finding.name, finding])).values()].map(({ because, name, spec }) => ({
          because,
          text: `${JSON.stringify(name)}: ${compact(spec)}`,
        }));
  const [open, close] = key === 'routes' ? ['[', ']'] : ['{', '}'];
  let before = '';
  return [
    `  ${JSON.stringify(key)}: ${open}`,
    ...rows.flatMap(({ because, text }, index) => {
      const told = because === before ? [] : [`    // ${oneLine(because)}`];
      before = because;
      return [...told, `    ${text}${index < rows.length - 1 ? ',' : ''}`];
    }),
    `  ${close}${comma}`,
  ];
}

function knownBy(key: string, findings: readonly Finding[]): string | null {
  if (key === 'command' || key === 'port' || key === 'ready') return findings.find(({ part }) => part === key)?.because ?? null;
  if (key !== 'postgres') return null;
  const known = findings.filter(({ part }) => part === 'postgres' || part === 'sql' || part === 'migrations').map(({ because }) => because);
  return known.length === 0 ? null : known.join('; ');
}

/** JSON in one line, with the blanks that a person would set. */
function compact(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(compact).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined);
    return entries.length === 0 ? '{}' : `{ ${entries.map(([key, one]) => `${JSON.stringify(key)}: ${compact(one)}`).join(', ')} }`;
  }
  return JSON.stringify(value);
}

/** What came from a file of the workspace must not end the comment that contains it. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}
