import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { waitFor } from '../../support/waitFor.ts';

const HOST_FOLDER = resolve(import.meta.dirname, '../../../tools/vscode-host');
const VSCODE_FOLDER = join(HOST_FOLDER, 'node_modules/code-server/lib/vscode');
/** The packed extension; `scripts/test.mjs` packs it before the tests in the editor. */
export const vsix = resolve(import.meta.dirname, '../../../.cache/benchside.vsix');
const SERVER_SCRIPT = join(VSCODE_FOLDER, 'out/server-main.js');

/** Quiet: no telemetry, no updates, no welcome page, nothing that moves on its own. */
const QUIET_SETTINGS: Readonly<Record<string, unknown>> = {
  'chat.commandCenter.enabled': false,
  'editor.accessibilitySupport': 'off',
  'editor.cursorBlinking': 'solid',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  // What TypeScript knows of the sources is nobody's subject here, and takes a tenth of a window's CPU time.
  'npm.autoDetect': 'off',
  'remote.autoForwardPorts': false,
  'telemetry.telemetryLevel': 'off',
  'typescript.disableAutomaticTypeAcquisition': true,
  'typescript.tsserver.useSyntaxServer': 'always',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'window.autoDetectColorScheme': false,
  'window.autoDetectHighContrast': false,
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** What of the surrounding environment VS Code may see; a test runner's own variables would change what extensions do. */
const PASSED_VARIABLES = ['PATH', 'JAVA_HOME', 'LANG', 'LC_ALL', 'TZ', 'USER', 'LOGNAME'];

export interface VsCodeOptions {
  /** Folder that the window opens. */
  workspaceDir: string;
  /** VSIX files that are installed before the start. */
  vsix?: readonly string[];
  /** Extension loaded from its source folder instead, as F5 does. */
  extensionDevelopmentPath?: string;
  /** CommonJS file whose exported `run()` the extension host calls, then exits. Needs `extensionDevelopmentPath`. */
  extensionTestsPath?: string;
  /** User settings on top of the quiet ones. */
  settings?: Readonly<Record<string, unknown>>;
  /** Ask for trust as VS Code does by default; off unless told. */
  workspaceTrust?: boolean;
  /** Variables for the server, and so for the extension host, on top of the passed ones. */
  env?: Readonly<Record<string, string>>;
}

export interface HostProcess {
  pid: number;
  parentPid: number;
  argv: readonly string[];
}

/** A running VS Code server with everything it owns in one temporary folder. */
export interface VsCodeServer {
  /** Page of the workbench with the workspace open; the extension under development is named in it. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly homeDir: string;
  readonly extensionsDir: string;
  readonly logsDir: string;
  readonly settingsFile: string;
  /** As `url`, with another folder open. */
  urlOf(folder: string): string;
  /** Merges into the user settings file. An open window reads that file only when it is loaded: reload it afterwards. */
  writeSettings(changes: Readonly<Record<string, unknown>>): Promise<void>;
  /** Living processes of the server's own process group (Linux). */
  processes(): HostProcess[];
  /** Living extension hosts, one for each open window (Linux). */
  extensionHosts(): HostProcess[];
  /** What the server itself has printed. */
  output(): Promise<string>;
  /** Ends the whole process group, SIGTERM first, and removes the temporary folder. Idempotent. */
  stop(): Promise<void>;
}

/** Installs the host under `tools/vscode-host` when it is not there yet; returns at once when it is. */
export function ensureVsCodeHost(): void {
  const { status, stderr } = spawnSync(process.execPath, [join(HOST_FOLDER, 'install.mjs')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr.trim());
}

/** Starts a real VS Code server on a free port of 127.0.0.1 with a fresh home, and waits until it answers. */
export async function startVsCode(options: VsCodeOptions): Promise<VsCodeServer> {
  ensureVsCodeHost();
  const root = await mkdtemp(join(tmpdir(), 'benchside-vscode-'));
  const homeDir = join(root, 'home');
  const userDataDir = join(root, 'user');
  const serverDataDir = join(root, 'server');
  const [only, ...others] = options.vsix ?? [];
  const shared = only === undefined || others.length > 0 ? undefined : installedFolder(only);
  const isInstalled = shared !== undefined && existsSync(join(shared, 'extensions.json'));
  const extensionsDir = isInstalled ? shared : join(root, 'extensions');
  const settingsFile = join(userDataDir, 'User/settings.json');
  const outputFile = join(root, 'server.log');
  const env = serverEnvironment(homeDir, join(root, 'run'), options.env);
  const folders = ['--user-data-dir', userDataDir, '--extensions-dir', extensionsDir, '--server-data-dir', serverDataDir];
  let child: ChildProcess | undefined;
  let guardian: ChildProcess | undefined;

  async function stop(): Promise<void> {
    guardian?.kill('SIGKILL');
    if (child?.pid !== undefined) await endGroup(child.pid);
    await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  try {
    for (const folder of [homeDir, join(root, 'run'), join(userDataDir, 'User'), extensionsDir]) await mkdir(folder, { recursive: true });
    await writeFile(settingsFile, JSON.stringify({ ...QUIET_SETTINGS, ...options.settings }, null, 2));
    if (!isInstalled) for (const file of options.vsix ?? []) installExtension(resolve(file), folders, env);

    const server = spawn(
      process.execPath,
      [
        SERVER_SCRIPT,
        ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms', '--disable-telemetry'],
        ...(options.workspaceTrust === true ? [] : ['--disable-workspace-trust']),
        ...(options.extensionTestsPath === undefined ? [] : ['--enable-smoke-test-driver']),
        ...folders,
      ],
      { cwd: homeDir, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    child = server;
    const group = server.pid;
    if (group === undefined) throw new Error('The VS Code server could not be started.');
    guardian = startGuardian(group, root);
    const log = createWriteStream(outputFile);
    server.stdout.pipe(log, { end: false });
    server.stderr.pipe(log, { end: false });

    const output = () => readFile(outputFile, 'utf8').catch(() => '');
    const port = await waitFor(
      async () => {
        if (server.exitCode !== null) return -1;
        const announced = /Extension host agent listening on (\d+)/.exec(await output())?.[1];
        if (announced === undefined) return undefined;
        return (await fetch(`http://127.0.0.1:${announced}/version`)).ok ? Number(announced) : undefined;
      },
      { timeoutMs: 30_000, everyMs: 50, what: 'the VS Code server answers' },
    );
    if (port === -1) throw new Error(`The VS Code server ended at once:\n${await output()}`);

    const processes = () => processesOfGroup(group);
    const urlOf = (folder: string) => pageUrl(port, folder, options);
    return {
      url: urlOf(options.workspaceDir),
      port,
      pid: group,
      homeDir,
      extensionsDir,
      logsDir: join(userDataDir, 'logs'),
      settingsFile,
      urlOf,
      async writeSettings(changes) {
        // VS Code writes this file too, when a theme or a setting is chosen in the window.
        const settings = JSON.parse(await readFile(settingsFile, 'utf8')) as Record<string, unknown>;
        await writeFile(`${settingsFile}.new`, JSON.stringify({ ...settings, ...changes }, null, 2));
        await rename(`${settingsFile}.new`, settingsFile);
      },
      processes,
      extensionHosts: () => processes().filter(({ argv }) => argv.includes('--type=extensionHost')),
      output,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function serverEnvironment(homeDir: string, runtimeDir: string, extra: VsCodeOptions['env']): Record<string, string> {
  const passed = PASSED_VARIABLES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return {
    ...(Object.fromEntries(passed) as Record<string, string>),
    HOME: homeDir,
    XDG_RUNTIME_DIR: runtimeDir,
    EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: '' }),
    ...extra,
  };
}

/** Where a VSIX file, as it is now, is installed once for all servers, none of which changes what is installed there; undefined without such a folder. */
function installedFolder(vsix: string): string | undefined {
  const folder = process.env['BENCHSIDE_SHARED_EXTENSIONS'];
  if (folder === undefined) return undefined;
  const { mtimeMs, size } = statSync(vsix);
  return join(folder, `${basename(vsix)}-${size}-${Math.round(mtimeMs)}`);
}

/** Installs a VSIX file for all servers that are started afterwards, at the same time too, in the folder that `BENCHSIDE_SHARED_EXTENSIONS` names. */
export function installForAll(vsix: string): void {
  ensureVsCodeHost();
  const extensionsDir = installedFolder(vsix);
  if (extensionsDir === undefined) throw new Error('BENCHSIDE_SHARED_EXTENSIONS names no folder.');
  const root = mkdtempSync(join(tmpdir(), 'benchside-install-'));
  try {
    const folders = ['--user-data-dir', join(root, 'user'), '--extensions-dir', extensionsDir, '--server-data-dir', join(root, 'server')];
    installExtension(resolve(vsix), folders, serverEnvironment(join(root, 'home'), join(root, 'run'), {}));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function installExtension(vsix: string, folders: readonly string[], env: Record<string, string>): void {
  const arguments_ = [SERVER_SCRIPT, ...folders, '--accept-server-license-terms', '--install-extension', vsix, '--force'];
  const { status, stdout, stderr } = spawnSync(process.execPath, arguments_, { env, encoding: 'utf8', timeout: 120_000 });
  if (status !== 0) throw new Error(`VS Code did not install ${vsix}:\n${stdout}${stderr}`);
}

function pageUrl(port: number, folder: string, { extensionDevelopmentPath, extensionTestsPath }: VsCodeOptions): string {
  const authority = `127.0.0.1:${port}`;
  const url = new URL(`http://${authority}/`);
  url.searchParams.set('folder', resolve(folder));
  const payload = Object.entries({ extensionDevelopmentPath, extensionTestsPath }).flatMap(([key, path]) =>
    path === undefined ? [] : [[key, `vscode-remote://${authority}${resolve(path)}`]],
  );
  if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

/** Waits, in a group of its own, for the end of this process, however it comes, and then takes the server and its folder away. */
function startGuardian(group: number, folder: string): ChildProcess {
  const script = 'cat > /dev/null; kill -s KILL -- "-$1"; rm -rf -- "$2"';
  const guardian = spawn('/bin/sh', ['-c', script, 'sh', String(group), folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guardian.unref();
  return guardian;
}

function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}

async function endGroup(group: number): Promise<void> {
  const gone = () => !signalGroup(group, 0);
  signalGroup(group, 'SIGTERM');
  try {
    await waitFor(gone, { timeoutMs: 3_000 });
  } catch {
    signalGroup(group, 'SIGKILL');
    await waitFor(gone, { timeoutMs: 10_000, what: 'the VS Code server is gone' });
  }
}

/** Reads /proc: processes of one process group that are not zombies. */
function processesOfGroup(group: number): HostProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The program's name is in parentheses and may hold blanks: the fields are counted from the last one.
      const [state, parent, processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(processGroup) !== group || state === 'Z') return [];
      const argv = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').slice(0, -1);
      return [{ pid: Number(name), parentPid: Number(parent), argv }];
    } catch {
      return [];
    }
  });
}
