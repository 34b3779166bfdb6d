import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod';

const root = path.resolve(import.meta.dirname, '../../..');
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const page = textOf('docs/ci.md');

const stepSchema = z.object({
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  shell: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const actionSchema = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
  runs: z.object({ using: z.literal('composite'), steps: z.array(stepSchema) }),
});
const action = actionSchema.parse(parse(textOf('action.yml')));
const documents = parseAllDocuments(textOf('templates/benchside.yml'));
const [component, jobs] = Array.isArray(documents) ? documents.map((document) => document.toJS() as unknown) : [];
const job = z
  .object({ benchside: z.object({ before_script: z.array(z.string()), script: z.array(z.string()), after_script: z.array(z.string()) }) })
  .parse(jobs).benchside;

describe('the action for GitHub', () => {
  it('never puts what a pull request says into the text of a step', () => {
    const { steps } = action.runs;
    expect(steps.length).toBeGreaterThan(6);
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
    expect(page.match(/run: .*\$\{\{.*/g)).toBeNull();
  });

  it('reads every input that it declares, and none that it does not', () => {
    const used = [...textOf('action.yml').matchAll(/\binputs\.(\w+)/g)].map(([, name]) => name ?? '');
    expect(new Set(used)).toEqual(new Set(Object.keys(action.inputs)));
  });

  it('comments, annotates and uploads also after what has failed', () => {
    const after = action.runs.steps.slice(action.runs.steps.findIndex(({ name }) => name === 'Compare with the base') + 1);
    expect(after.map(({ if: condition = '' }) => condition.startsWith('always()'))).toEqual(after.map(() => true));
  });

  it('starts programs that are there, and may be started', () => {
    const named = action.runs.steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/\$GITHUB_ACTION_PATH\/([\w./-]+)/g)].map(([, file]) => file ?? ''),
    );
    expect(named).toHaveLength(4);
    for (const file of named)
      expect(() => accessSync(path.join(root, file), file.endsWith('.sh') ? constants.X_OK : constants.R_OK)).not.toThrow();
  });
});

describe('the component for GitLab', () => {
  it('is well-formed: what it takes, and the job', () => {
    expect(documents.map(({ errors }) => errors)).toEqual([[], []]);
  });

  it('reads every input that it declares, and none that it does not', () => {
    const { spec } = z.object({ spec: z.object({ inputs: z.record(z.string(), z.unknown()) }) }).parse(component);
    const used = [...textOf('templates/benchside.yml').matchAll(/\$\[\[ inputs\.(\w+) \]\]/g)].map(([, name]) => name ?? '');
    expect(new Set(used)).toEqual(new Set(Object.keys(spec.inputs)));
  });

  it('starts programs of the package that are there, and takes inputs by its variables only', () => {
    const lines = [...job.before_script, ...job.script, ...job.after_script];
    for (const line of lines) expect(line).not.toContain('$[[');
    const named = lines.flatMap((line) => [...line.matchAll(/\$INSTALLED\/([\w./-]+)/g)].map(([, file]) => file ?? ''));
    expect(named.length).toBeGreaterThan(2);
    for (const file of named) expect(existsSync(path.join(root, file)), file).toBe(true);
  });
});

describe('the page about CI', () => {
  it('names files that are there', () => {
    const files = [...page.matchAll(/\]\(\.\.\/([\w./-]+)\)/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) expect(existsSync(path.join(root, file)), file).toBe(true);
  });
});
