// Writes schemas/*.schema.json from the zod schemas of src/model. With --check it only compares, and exits with 1 when a file is out of date.
import { format } from 'oxfmt';
import { load, writeOrCheck } from './writtenFiles.mjs';

const { schemaFiles } = await load('schemaFiles.ts');
const texts = {};
for (const [name, schema] of Object.entries(schemaFiles()))
  texts[`schemas/${name}`] = (await format(name, JSON.stringify(schema), { printWidth: 140 })).code;
await writeOrCheck(texts);
