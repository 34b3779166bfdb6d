import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type ICruiseResult, type IForbiddenRuleType, cruise } from 'dependency-cruiser';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Import, circleFaults, roomOf } from './architectureRooms.ts';
import { rawSurfaces } from './editorSurfaces.ts';

/*
 * The one place that says who may know whom: model ← calltree ← engine ← agents ← cli | extension, and model ← calltree ← webview. ESLint says nothing of it.
 */

const root = path.resolve(import.meta.dirname, '../..');

/** A client speaks to its engine through `src/engine/rpc`. What else it may import of the engine, and why that is right. */
const clientsMayImport: readonly { client: string; engine: string; why: string }[] = [
  {
    client: '^src/cli/flame(graph|GraphOptions)\\.ts$',
    engine: '^src/engine/(calltree|profiles)/',
    why: 'makes one file of another in its own process: nothing is started, and nothing is kept',
  },
  {
    client: '^src/cli/tuneCommand\\.ts$',
    engine: '/savedRequestFiles\\.ts$',
    why: 'a file named on the command line is read as the engine reads those of the workspace, and is not one of them',
  },
  {
    client: '^src/agents/turn\\.ts$',
    engine: '^src/engine/(supervise/identity(Lock)?|files/boundedFile)\\.ts$',
    why: 'whose turn it is to measure stands in a file, with the identity of the process that has it',
  },
  {
    client: '^src/agents/userStorage\\.ts$',
    engine: '^src/engine/supervise/homeFolder\\.ts$',
    why: 'where the user’s home is, for those whom the system does not know too',
  },
  {
    client: '^src/agents/allowance\\.ts$',
    engine: '^src/engine/files/(safeFiles|boundedFile|startedBy)\\.ts$',
    why: 'the user’s permission is written whole, or not at all, and benchside.json may be anything; it is none of the engine’s',
  },
  {
    client: '^src/agents/agentSession\\.ts$',
    engine: '^src/engine/files/redact\\.ts$',
    why: 'what is declared is told to an agent without secrets, by the rules of what is stored',
  },
  {
    client: '^src/cli/(initCommand|bisectLog)\\.ts$',
    engine: '^src/engine/files/boundedFile\\.ts$',
    why: 'a file of a cloned repository may be a link to a device or to another file of the user’s',
  },
];

const layers: IForbiddenRuleType[] = [
  {
    name: 'the model imports nobody',
    severity: 'error',
    from: { path: '^src/model/' },
    to: { pathNot: '^(src/model/|node_modules/zod/)' },
  },
  {
    name: 'what things are is known without requests, words and agents',
    severity: 'error',
    from: { path: '^src/model/domain/' },
    to: { path: '^src/model/(protocol|presentation|agents)/' },
  },
  {
    name: 'what the parts send each other is known without words and agents',
    severity: 'error',
    from: { path: '^src/model/protocol/' },
    to: { path: '^src/model/(presentation|agents)/' },
  },
  {
    name: 'how a result is shown does not depend on how agents are answered',
    severity: 'error',
    from: { path: '^src/model/presentation/' },
    to: { path: '^src/model/agents/' },
  },
  {
    name: 'the algebra of call trees is pure: it knows the model, and runs in an engine as in a page',
    severity: 'error',
    from: { path: '^src/calltree/' },
    to: { pathNot: '^src/(calltree|model)/' },
  },
  {
    name: 'the engine knows neither terminal nor editor nor panel',
    severity: 'error',
    from: { path: '^src/engine/' },
    to: { path: '^(src/(agents|cli|extension)|webview)/' },
  },
  {
    name: 'what answers agents knows neither the terminal nor the editor, which both serve them',
    severity: 'error',
    from: { path: '^src/agents/' },
    to: { path: '^(src/(cli|extension)|webview|node_modules/@modelcontextprotocol)/' },
  },
  {
    name: 'the protocol of agents is loaded by one command',
    severity: 'error',
    from: { path: '^(src|webview)/', pathNot: '^src/cli/mcpCommand\\.ts$' },
    to: { path: '@modelcontextprotocol' },
  },
  {
    name: 'the terminal knows no editor and no panel',
    severity: 'error',
    from: { path: '^src/cli/' },
    to: { path: '^(src/extension|webview)/' },
  },
  {
    name: 'the extension knows no terminal and no panel',
    severity: 'error',
    from: { path: '^src/extension/' },
    to: { path: '^(src/cli|webview)/' },
  },
  {
    name: 'a panel knows the model, the algebra of call trees and nothing else of ours',
    severity: 'error',
    from: { path: '^webview/' },
    to: { path: '^src/(?!model/|calltree/)' },
  },
  {
    name: 'a probe runs in somebody else’s app and brings nothing along',
    severity: 'error',
    from: { path: '^src/probe/' },
    to: { path: '^(src/(calltree|engine|cli|extension)|webview|node_modules)/' },
  },
  { name: 'nobody imports a probe', severity: 'error', from: { pathNot: '^src/probe/' }, to: { path: '^src/probe/' } },
  { name: 'a panel runs in a browser', severity: 'error', from: { path: '^webview/' }, to: { dependencyTypes: ['core'] } },
  { name: 'only the extension knows the editor', severity: 'error', from: { pathNot: '^src/extension/' }, to: { path: '(^|/)vscode$' } },
  {
    name: 'a strategy knows nothing of processes',
    severity: 'error',
    from: { path: '^src/engine/strategies/' },
    to: { path: '^src/engine/(?!(strategies|statistics)/|diagnose/ladder\\.ts$|load/(latencyHistogram|loadProtocol)\\.ts$)' },
  },
  {
    name: 'only the supervisor starts processes',
    severity: 'error',
    from: { path: '^(src|webview)/', pathNot: '^src/engine/supervise/' },
    to: { path: '^(child_process|cluster)$' },
  },
  {
    name: 'the toolkit is imported in one place',
    severity: 'error',
    from: { path: '^webview/', pathNot: '^webview/kit/page/toolkit\\.ts$' },
    to: { path: 'webview-ui-toolkit' },
  },
  {
    name: 'the kit of the panels knows no view and no shell',
    severity: 'error',
    from: { path: '^webview/kit/' },
    to: { path: '^webview/(?!kit/)' },
  },
  {
    name: 'no view knows the shell that shows it',
    severity: 'error',
    from: { path: '^webview/(?!workbench/)' },
    to: { path: '^webview/workbench/' },
  },
  { name: 'nothing of ours imports in a circle', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'nothing that ships imports a test, a script or a sample',
    severity: 'error',
    from: { path: '^(src|webview)/' },
    to: { path: '^(test|scripts|samples|tools|docs)/' },
  },
];

/** Forbids what is done everywhere, so that it is seen that what is forbidden is found. */
const proof: IForbiddenRuleType = {
  name: 'the engine does without the model',
  severity: 'info',
  from: { path: '^src/engine/' },
  to: { path: '^src/model/' },
};

let result: ICruiseResult;
let imports: Import[];
beforeAll(async () => {
  const { output } = await cruise(['src', 'webview'], {
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: [...layers, proof] },
    // Types tie files together as well as values do.
    tsPreCompilationDeps: true,
    // Some packages tell in their manifest alone where what they offer is.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^webview/tmp/' },
  });
  if (typeof output === 'string') throw new Error(output);
  result = output;
  const isOurs = (file: string): boolean => /^(src|webview)\//.test(file);
  imports = result.modules.flatMap(({ source, dependencies }) =>
    dependencies.filter(({ resolved }) => isOurs(source) && isOurs(resolved)).map(({ resolved }) => ({ from: source, to: resolved })),
  );
}, 60_000);

describe('the layers', () => {
  it.each(layers.map(({ name }) => name ?? ''))('%s', (name) => {
    const broken = result.summary.violations.filter(({ rule }) => rule.name === name).map(({ from, to }) => `${from} → ${to}`);
    expect(broken).toEqual([]);
  });

  it('were seen: every source file was read, and its imports were resolved', () => {
    const modules = result.modules.filter(({ source }) => /^(src|webview)\//.test(source));
    expect(modules.length).toBeGreaterThan(150);
    expect(result.summary.violations.filter(({ rule }) => rule.name === proof.name).length).toBeGreaterThan(100);
    const unresolved = modules.flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ couldNotResolve, module }) => couldNotResolve && module !== 'vscode')
        .map(({ module }) => `${source} → ${module}`),
    );
    expect(unresolved).toEqual([]);
  });
});

describe('a client', () => {
  const ofEngine = (): Import[] =>
    imports.filter(({ from, to }) => /^src\/(agents|cli|extension)\//.test(from) && /^src\/engine\/(?!rpc\/)/.test(to));
  const allows = ({ client, engine }: (typeof clientsMayImport)[number], { from, to }: Import): boolean =>
    new RegExp(client).test(from) && new RegExp(engine).test(to);

  it('knows of the engine its connection, and what is listed with a reason', () => {
    const others = ofEngine().filter((one) => !clientsMayImport.some((exception) => allows(exception, one)));
    expect(others.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('needs each exception that is listed', () => {
    const unused = clientsMayImport.filter((exception) => !ofEngine().some((one) => allows(exception, one)));
    expect(unused).toEqual([]);
  });
});

describe('the rooms', () => {
  it('do not import in circles', () => {
    const faults = circleFaults(imports);
    expect(faults, faults.join('\n\n')).toEqual([]);
  });

  it('are the folders of src, engine, extension, webview and the flame graph, with all that is below them', () => {
    expect(roomOf('src/engine/load/raw/rawSink.ts')).toBe('src/engine/load');
    expect(roomOf('src/engine/host.ts')).toBe('src/engine');
    expect(roomOf('src/model/domain/run.ts')).toBe('src/model');
    expect(roomOf('src/probe/node/pools/resize.ts')).toBe('src/probe');
    expect(roomOf('webview/flame/core/tree/naming.ts')).toBe('webview/flame/core');
    expect(roomOf('webview/flame/main.ts')).toBe('webview/flame');
  });

  const between = (...pairs: [string, string][]): Import[] =>
    pairs.map(([from, to]) => ({ from: `src/engine/${from}/one.ts`, to: `src/engine/${to}/other.ts` }));

  it('would be seen to: a circle over several rooms is told once, with an import for each step', () => {
    const faults = circleFaults(between(['a', 'b'], ['b', 'c'], ['c', 'a'], ['c', 'd'], ['a', 'a']));
    expect(faults).toEqual([
      [
        'src/engine/a → src/engine/b → src/engine/c → src/engine/a is a circle:',
        '  src/engine/a/one.ts imports src/engine/b/other.ts',
        '  src/engine/b/one.ts imports src/engine/c/other.ts',
        '  src/engine/c/one.ts imports src/engine/a/other.ts',
      ].join('\n'),
    ]);
  });
});

describe('a source file', () => {
  const files = ['src', 'webview'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('tmp/'))
      .map((name) => path.join(folder, name)),
  );

  it('has at most 450 lines', () => {
    const long = files.filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 451);
    expect(long).toEqual([]);
  });

  it('is no barrel and has no default export', () => {
    const wrong = files.filter(
      (file) => path.basename(file) === 'index.ts' || /^export (\* from|default)\b/m.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the extension', () => {
  const folder = path.join(root, 'src/extension');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

  it('shows words in the editor’s own surfaces through kit/safeUi only', () => {
    const others = files.filter((name) => !name.startsWith(path.join('kit', 'safeUi')));
    expect(others.length).toBeGreaterThan(60);
    const raw = others.flatMap((name) => rawSurfaces(readFileSync(path.join(folder, name), 'utf8')).map((what) => `${name}: ${what}`));
    expect(raw).toEqual([]);
  });

  it('would be seen to: every way around is found, and what shows no words is not', () => {
    for (const way of [
      'vscode.window.showErrorMessage(text)',
      'void vscode.window\n  .showInformationMessage(text)',
      'const { withProgress } = vscode.window;',
      "import { window } from 'vscode';",
      "import vscode from 'vscode';",
      'const v = vscode;',
      "vscode['window']",
      'new vscode.MarkdownString(text)',
      'new vscode.TreeItem(text)',
      'input.validationMessage = text;',
    ])
      expect(rawSurfaces(way), way).toHaveLength(1);
    const shown =
      "import * as vscode from 'vscode';\nimport type * as vscode from 'vscode';\nvscode.window.showTextDocument(uri); vscode.window.onDidOpen(x);";
    expect(rawSurfaces(shown)).toEqual([]);
  });
});

describe('the terminal', () => {
  it('is written to in one place', () => {
    const folder = path.join(root, 'src/cli');
    const writers = readdirSync(folder).filter((name) =>
      /\bconsole\.|\.write\(|process\.std(?:out|err)\.write/.test(readFileSync(path.join(folder, name), 'utf8')),
    );
    expect(writers).toEqual(['output.ts']);
  });
});

describe('a test', () => {
  const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));

  it('lies in a folder that a suite runs', () => {
    const folders = new Set(files.map((name) => name.split(path.sep)[0]));
    expect([...folders].sort()).toEqual(['alone', 'editor', 'parallel', 'slow', 'unit']);
  });

  it('is tried once: what fails has failed', () => {
    expect(files.length).toBeGreaterThan(150);
    const again = [...files.map((name) => path.join('test', name)), 'vitest.config.ts', 'scripts/test.mjs'].filter((file) =>
      /\bretry['"]?\s*[:=]/.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(again).toEqual([]);
  });
});
