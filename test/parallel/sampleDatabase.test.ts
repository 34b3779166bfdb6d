import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspaceFileSchema } from '../../src/model/domain/target.ts';
import { type Answer, type Question, type SampleName, sampleNames, samplesDir } from '../support/samples.ts';
import { Twins } from '../support/twins.ts';

// What the samples keep and declare: the data, the statements that both ask, and the routes in their file.

const twins = new Twins(sampleNames);
const { stack } = twins;
const both = (target: string, question?: Question): Promise<Answer> => twins.both(target, question);

beforeAll(() => twins.start(), 40_000);
afterAll(() => twins.stop(), 20_000);

describe('the database', () => {
  it('holds the same 100,000 advertisements on every machine', async () => {
    await stack.applyPrepare();
    const [counts] = await stack.query<Record<string, unknown>>(`
      SELECT (SELECT count(*)::int FROM ads) AS ads, (SELECT count(*)::int FROM categories) AS categories, (SELECT count(*)::int FROM sellers) AS sellers,
             (SELECT md5(string_agg(concat_ws('|', id, title, description, category_id, seller_id, price_cents, extract(epoch FROM created_at)::bigint), ',' ORDER BY id)) FROM ads) AS digest`);
    expect(counts).toEqual({ ads: 100_000, categories: 20, sellers: 2_000, digest: 'edff5fe7f79eb9facaacc713a7c010de' });
  });

  it('answers every statement of the samples from an index', async () => {
    const plans = statements('node')
      .filter((text) => text.includes('FROM ads'))
      .map((text) => {
        const values = text.includes('category_id = $1') ? [7, 20] : [text.includes('LIMIT $1') ? 20 : 4_321];
        return stack.query<Record<string, string>>(
          `EXPLAIN ${values.reduce((filled: string, value, i) => filled.replaceAll(`$${i + 1}`, String(value)), text)}`,
        );
      });
    expect(plans).toHaveLength(4);
    for (const rows of await Promise.all(plans)) {
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/Index Scan/);
      expect(plan).not.toMatch(/(Seq|Bitmap Heap) Scan on (ads|sellers)/);
    }
  });

  it('is asked the same statements by both', () => {
    expect(statements('java').map((text) => text.replace(/\?/g, '$'))).toEqual(
      statements('node').map((text) => text.replace(/\$\d/g, '$')),
    );
    expect(statements('node')).toHaveLength(7);
  });
});

/** The SQL texts in a sample's source, in order, with plain spaces. */
function statements(name: SampleName): string[] {
  const file = name === 'node' ? 'node/database.mjs' : 'java/src/main/java/bulletin/Database.java';
  const source = readFileSync(path.join(samplesDir, file), 'utf8');
  const literals = name === 'node' ? source.matchAll(/`([^`]*)`|'(SELECT [^']*)'/g) : source.matchAll(/"""([\s\S]*?)"""|"(SELECT [^"]*)"/g);
  return [...literals]
    .map((match) => (match[1] ?? match[2] ?? '').replace(/\s+/g, ' ').trim())
    .filter((text) => /^(SELECT|INSERT) /.test(text));
}

describe('the declaration of the samples', () => {
  const file = workspaceFileSchema.parse(JSON.parse(readFileSync(path.join(samplesDir, 'benchside.json'), 'utf8')));

  it('declares both with the same routes, the primary key first', () => {
    expect(file.targets.map((target) => target.id)).toEqual(['node', 'java']);
    expect(file.targets[1]?.routes).toEqual(file.targets[0]?.routes);
    expect(file.targets[0]?.routes[0]).toMatchObject({ method: 'GET', path: '/ads/:id' });
  });

  it('names routes that both answer with success', async () => {
    for (const route of file.targets[0]?.routes ?? []) {
      const fill = (text: string): string =>
        text.replace(/:([a-z]+)/g, (whole, name: string) => {
          const parameter = route.parameters[name];
          return parameter !== undefined && 'max' in parameter ? String(parameter.max) : whole;
        });
      const answer = await both(fill(route.path), {
        method: route.method,
        ...(route.body === undefined ? {} : { body: fill(route.body) }),
      });
      expect([200, 201]).toContain(answer.status);
    }
    await stack.applyPrepare();
  });
});
