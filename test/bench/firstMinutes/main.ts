// What a first answer takes in the editor, and what counts on save take: decisions and seconds for services that it has not seen. In a real VS Code, as test/editor drives it.
// Writes docs/first-minutes.md. Resumable: a service in test/bench/firstMinutes/results is not tried again, unless it is named.
// Usage: npm run bench firstMinutes [--only NAME …] [--report]   (the packed extension is .cache/benchside.vsix; packages of others are fetched)
import { parseArgs } from 'node:util';
import { addFirst, readFirst, writeFirstPage } from './firstResults.ts';
import { firstServices } from './firstServices.ts';
import { tryFirst } from './tryFirst.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, report: { type: 'boolean', default: false } },
});
const done = new Set(readFirst().map(({ service }) => service));

if (!values.report)
  for (const [id, service] of Object.entries(firstServices)) {
    if (values.only === undefined ? done.has(id) : !values.only.includes(id)) continue;
    const result = await tryFirst(id, service);
    addFirst(result);
    console.log(JSON.stringify(result));
  }
writeFirstPage(Object.keys(firstServices));
console.log('docs/first-minutes.md is written.');
