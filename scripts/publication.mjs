// Under which names Benchside is published: scripts/publication.json has them all, and what follows from them is written by `npm run manifest`.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const names = JSON.parse(readFileSync(path.join(here, 'publication.json'), 'utf8'));

/** What package.json says of where it is from. */
export const publishedParts = {
  publisher: names.publisher,
  repository: { type: 'git', url: `git+${names.repository}.git` },
  bugs: { url: names.bugs },
  homepage: names.homepage,
  mcpName: names.mcpName,
};

/** Of what package.json says, an installed command needs this. */
const kept = ['version', 'description', 'license', 'type', 'keywords', 'engines', 'bin', 'repository', 'bugs', 'homepage', 'mcpName'];
/** What only the editor needs, and PostgreSQL, which comes by its own packages. */
const notInNpm = [/^media\//, /^vendor\/postgres\//, /^CHANGELOG\.md$/];

/**
 * The package.json of the npm package: everything that it needs is in its bundles, so that it has no dependencies but PostgreSQL's programs, and nobody has to have those.
 * @param allowed the text of .vscodeignore, which lists what is packed of each folder
 */
export function npmManifest(manifest, allowed) {
  const files = allowed.split('\n').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  return {
    name: names.package,
    ...Object.fromEntries(kept.map((name) => [name, manifest[name]])),
    files: [...files.filter((file) => !notInNpm.some((pattern) => pattern.test(file))), 'ci/*.mjs', 'ci/*.sh', '!dist/extension*.cjs'],
    optionalDependencies: manifest.optionalDependencies,
  };
}

/** server.json: how the registry of the Model Context Protocol lists it. */
export function serverFile({ version }) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: names.mcpName,
    title: 'Benchside',
    description: 'Measures Node and Java services on PostgreSQL: which setting to use, what a change costs, and why.',
    repository: { url: names.repository, source: 'github' },
    websiteUrl: names.homepage,
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: names.package,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
      },
    ],
  };
}
