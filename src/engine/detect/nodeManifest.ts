import path from 'node:path';
import * as z from 'zod';
import { parsedJson } from '../files/parsedJson.ts';
import { type FolderFiles, within } from './folderFiles.ts';

const words = z.record(z.string(), z.string()).catch({});
const manifestSchema = z.object({
  name: z.string().optional().catch(undefined),
  main: z.string().optional().catch(undefined),
  bin: z
    .union([z.string(), z.record(z.string(), z.string())])
    .optional()
    .catch(undefined),
  scripts: words.default({}),
  dependencies: words.default({}),
  devDependencies: words.default({}),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** What the package.json of a folder says; null where there is none that can be read. */
export function readManifest(files: FolderFiles, folder: string): Manifest | null {
  return manifestSchema.safeParse(parsedJson(files.text(within(folder, 'package.json')) ?? '')).data ?? null;
}

const drivers = [
  'pg',
  'postgres',
  'pg-promise',
  'sequelize',
  'knex',
  'typeorm',
  'prisma',
  '@prisma/client',
  'drizzle-orm',
  'slonik',
] as const;

/** By which of its dependencies it speaks to PostgreSQL; null where none is known. */
export function driverOf({ dependencies }: Manifest): string | null {
  return drivers.find((one) => dependencies[one] !== undefined) ?? null;
}

/** Where package managers put what a package depends on, and what that depends on. */
const packageFolders = ['node_modules', 'node_modules/.pnpm/node_modules'] as const;

/** Whether this package is installed for a folder, there or in a workspace around it, which may begin above the folder that is searched. */
export function isInstalled(files: FolderFiles, folder: string, name: string): boolean {
  const homes = [...around(folder), ...files.above()];
  return homes.some((one) => packageFolders.some((packages) => files.isThere(within(one, `${packages}/${name}/package.json`))));
}

/** Whether a program is made by a build, so that it need not be there yet. */
export function isBuilt(program: string): boolean {
  return /^(?:\.\/)?(?:dist|build|out|\.output)\//.test(program);
}

/** What a program of this folder needs, and what brings that about. */
export function nodeRequires(
  files: FolderFiles,
  folder: string,
  manifest: Manifest | null,
  program: string | null,
): { requires: string[]; requiresCure: string } {
  const built = program !== null && isBuilt(program);
  const dependencies = Object.keys(manifest?.dependencies ?? {});
  // A workspace keeps them in the folder around its packages.
  const elsewhere = around(folder).some((one) => one !== folder && files.isThere(within(one, 'node_modules')));
  const installed =
    !files.isThere(within(folder, 'node_modules')) && (elsewhere || dependencies.some((name) => isInstalled(files, folder, name)));
  return {
    requires: [...(built ? [program] : []), ...(dependencies.length > 0 && !installed ? ['node_modules'] : [])],
    requiresCure: `Run “${installing(files, folder)}”${built ? ' and “npm run build”' : ''} in ${folder === '.' ? 'this folder' : folder}.`,
  };
}

/** A folder and those around it, up to the one that is searched. */
export function around(folder: string): string[] {
  return folder === '.' ? ['.'] : [folder, ...around(path.posix.dirname(folder))];
}

/** What installs by which lockfile; the first that is there counts. */
const installers = [
  ['package-lock.json', 'npm ci'],
  ['npm-shrinkwrap.json', 'npm ci'],
  ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
  ['yarn.lock', 'yarn install'],
] as const;

/** What installs its dependencies: as its lockfile, or that of the workspace around it, asks for; “npm ci” needs one. */
function installing(files: FolderFiles, folder: string): string {
  const known = installers.find(([lockfile]) => files.has(within(folder, lockfile)) || files.has(lockfile));
  return known?.[1] ?? 'npm install';
}
