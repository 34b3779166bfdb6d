/** The text of a package.json with exact versions. */
export function nodePackage(
  name: string,
  dependencies: Readonly<Record<string, string>>,
  more: Readonly<Record<string, unknown>> = {},
): string {
  return `${JSON.stringify({ name, version: '1.0.0', private: true, ...more, dependencies }, null, 2)}\n`;
}

/** Installs what a package.json names, with the scripts of its packages, as a developer does. */
export const npmInstall: readonly (readonly string[])[] = [['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error']];
