/** The text of a file of JSON, indented. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The text of a package.json with exact versions. */
export function nodePackage(
  name: string,
  dependencies: Readonly<Record<string, string>>,
  more: Readonly<Record<string, unknown>> = {},
): string {
  return jsonText({ name, version: '1.0.0', private: true, ...more, dependencies });
}

/** Installs what a package.json names, with the scripts of its packages, as a developer does. */
export const npmInstall: readonly (readonly string[])[] = [['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error']];

/** Installs, and then runs the script that builds the app. */
export const npmInstallAndBuild: readonly (readonly string[])[] = [...npmInstall, ['npm', 'run', 'build']];

/** What services have in common that read the address of the database from one variable and set the pool in code. */
export const nodeWithPostgres = {
  runtime: 'node',
  usesPostgres: true,
  env: { DATABASE_URL: '{database}' },
  pool: { setBy: 'code' },
} as const;

/** What a service in TypeScript is compiled with. */
export const typescriptCompiler = { typescript: '5.9.3', '@types/node': '22.20.7' } as const;
