import path from 'node:path';
import * as z from 'zod';
import { parsedJson } from '../files/parsedJson.ts';
import { type FolderFiles, seenFrom, within } from './folderFiles.ts';

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
/** A library’s package for this database: `sails-postgresql`, `@fastify/postgres`, `@slonik/pg-driver`, `pg-boss`. */
const namesPostgres = /(?:^|[-/])(?:pg|postgres(?:ql)?)(?:-|$)/;
/** What these speak to PostgreSQL with is a dependency, too, or they speak to another database. */
const speakToAny: readonly string[] = ['sequelize', 'knex', 'typeorm', 'drizzle-orm'];
const othersDrivers = [
  'sqlite3',
  'better-sqlite3',
  'sql.js',
  '@libsql/client',
  'mysql',
  'mysql2',
  'mariadb',
  'tedious',
  'mssql',
  'oracledb',
];
const prismaOfOther = /^\s*provider\s*=\s*"(?:sqlite|mysql|mongodb|sqlserver|cockroachdb)"/m;

/** By which dependency of its own, or of the packages of the workspace that it uses, it speaks to PostgreSQL; null where none is known. */
export function driverOf(files: FolderFiles, folder: string, manifest: Manifest): string | null {
  for (const home of [folder, ...usedPackages(files, folder, manifest)]) {
    const { dependencies } = home === folder ? manifest : (readManifest(files, home) ?? manifest);
    const driver =
      drivers.find((one) => dependencies[one] !== undefined) ?? Object.keys(dependencies).find((one) => namesPostgres.test(one));
    const isOther = /prisma/.test(driver ?? '')
      ? prismaSchemas(files, home).some((file) => prismaOfOther.test(files.text(file) ?? ''))
      : speakToAny.includes(driver ?? '') && othersDrivers.some((one) => dependencies[one] !== undefined);
    if (driver !== undefined && !isOther) return driver;
  }
  return null;
}

/** Where Prisma looks for its schema. */
export function prismaSchemas(files: FolderFiles, folder: string): string[] {
  const isSchema = /^(?:(?:prisma\/)?schema\.prisma|prisma\/schema\/.+\.prisma)$/;
  return files.under(folder).filter((file) => isSchema.test(seenFrom(folder, file)));
}

/** The folders of the packages of its workspace that a package depends on, and that these depend on. */
export function usedPackages(files: FolderFiles, folder: string, manifest: Manifest): string[] {
  const homes = new Map<string, string>();
  for (const file of files.paths.filter((one) => path.posix.basename(one) === 'package.json')) {
    const home = path.posix.dirname(file);
    const name = readManifest(files, home)?.name;
    if (name !== undefined && home !== folder) homes.set(name, home);
  }
  const used = new Set<string>();
  // Those that a build takes in are for development only.
  const follow = ({ dependencies, devDependencies }: Manifest): void => {
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      const home = homes.get(name);
      const other = home === undefined || used.has(home) ? null : readManifest(files, home);
      if (home === undefined || other === null) continue;
      used.add(home);
      follow(other);
    }
  };
  follow(manifest);
  return [...used];
}

/** Where package managers put what a package depends on, and what that depends on. */
const packageFolders = ['node_modules', 'node_modules/.pnpm/node_modules'] as const;

/** Whether this package is installed for a folder, there or in a workspace around it, which may begin above the folder that is searched. */
export function isInstalled(files: FolderFiles, folder: string, name: string): boolean {
  return homesOf(files, folder).some((one) =>
    packageFolders.some((packages) => files.isThere(within(one, `${packages}/${name}/package.json`))),
  );
}

/** Whether a package that is installed for a folder brings a program of this name. */
export function hasProgram(files: FolderFiles, folder: string, name: string): boolean {
  return homesOf(files, folder).some((one) => files.isThere(within(one, `node_modules/.bin/${name}`)));
}

function homesOf(files: FolderFiles, folder: string): string[] {
  return [...around(folder), ...files.above()];
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
