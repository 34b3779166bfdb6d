/** Name of the variable that marks every process of one engine. */
export const cookieName = 'BENCHSIDE_ENGINE';

// What makes an editor's own process behave as it does must not reach the apps: NODE_OPTIONS and the like would change what is measured.
const withheld = /^(ELECTRON_|VSCODE_|NODE_OPTIONS$|NODE_CHANNEL_|NODE_V8_COVERAGE$|VITEST|npm_)/;

/** Name of the variable that marks a child and all that it starts, even what leaves its process group: the cookie and the child's number. */
export const childTagName = 'BENCHSIDE_CHILD';

/** The environment that a child gets: ours without what belongs to the editor or the package manager, and `extra` on top. */
export function childEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !withheld.test(name)) environment[name] = value;
  }
  return { ...environment, ...extra };
}
