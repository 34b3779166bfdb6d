import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { failure } from '../model/failure.ts';
import { lacking } from '../model/discovery.ts';
import type { Discovery, FoundService } from '../model/discovery.ts';
import { workspaceText } from '../model/workspaceText.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import type { Of, Terminal } from './terminal.ts';

/** Says what services stand in the folder and how that is known, and declares them in a `benchside.json` once the person agrees. */
export async function init({ yes, json, workspace }: Of<'init'>, engine: EngineClient, terminal: Terminal): Promise<number> {
  const { print, tell, write, signal } = terminal;
  const file = path.join(path.resolve(workspace), 'benchside.json');
  if (existsSync(file))
    throw failure(
      'workspace-file',
      `There is a benchside.json already: ${file}.`,
      'Change that one, or move it away and ask again: nothing was overwritten.',
    );
  const found = await engine.request('workspace/discover', {});
  const usable = found.services.filter(({ findings }) => lacking(findings) === null);
  const text = usable.length === 0 ? null : workspaceText(usable.map((service) => ({ service, findings: service.findings })));
  if (!json) for (const line of foundLines(found)) print(line);
  const agreed = text !== null && (yes || (!json && (await agree(signal))));
  if (agreed) write(file, text);
  if (json) print(JSON.stringify({ found, text, written: agreed ? file : null }));
  else if (text === null) tell('Nothing was written. Write a benchside.json by hand: docs/guide.md says what it may hold.');
  else
    tell(
      agreed
        ? `Written: ${file}. Look through it, then: benchside run --target ${usable[0]?.id ?? ''}`
        : 'Nothing was written; “benchside init --yes” writes it.',
    );
  return text === null ? 1 : 0;
}

function foundLines({ services, notes }: Discovery): string[] {
  return [
    ...(services.length === 0
      ? ['No Node or JVM service was found: neither a package.json nor a Maven or Gradle build that depends on a web framework.']
      : []),
    ...services.flatMap(serviceLines),
    ...notes.map((note) => `! ${note}`),
  ];
}

function serviceLines({ id, label, folder, because, findings, questions }: FoundService): string[] {
  const missing = lacking(findings);
  return [
    `${label} (${id})${folder === '.' ? '' : ` in ${folder}`}: ${because}`,
    ...findings.map(({ title, because: how, sure }) => `  ${sure ? '✓' : '~'} ${title}  (${how})`),
    ...questions.map((question) => `  ? ${question}`),
    ...(missing === null ? [] : [`  ✗ It is not declared: ${missing}`]),
    '',
  ];
}

/** Where nobody can be asked, nobody has agreed. */
async function agree(signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const question = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^(?:|y|yes)$/i.test((await question.question('Write this as benchside.json? [Y/n] ', { signal })).trim());
  } finally {
    question.close();
  }
}
