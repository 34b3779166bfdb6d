import { accessSync, constants, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const docs = path.resolve(import.meta.dirname, '../../../docs');
const page = readFileSync(path.join(docs, 'ci.md'), 'utf8');
const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => parse(text ?? '') as unknown);

describe('the page about CI', () => {
  it('has jobs whose steps call the script that is tried', () => {
    const [github, gitlab] = blocks;
    const steps = z
      .object({ jobs: z.object({ compare: z.object({ steps: z.array(z.object({ run: z.string().optional() })) }) }) })
      .parse(github).jobs.compare.steps;
    expect(steps.flatMap(({ run }) => run ?? [])[0]).toBe('.ci/benchside-gate.sh "$BASE"');
    const { script } = z.object({ benchside: z.object({ script: z.array(z.string()) }) }).parse(gitlab).benchside;
    expect(script).toEqual(['.ci/benchside-gate.sh "origin/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"']);
  });

  it('never puts what a pull request says into the text of a step', () => {
    expect(page.match(/run: .*\$\{\{.*/g)).toBeNull();
  });

  it('has the script beside it, ready to be run', () => {
    expect(() => accessSync(path.join(docs, 'ci', 'benchside-gate.sh'), constants.X_OK)).not.toThrow();
  });
});
