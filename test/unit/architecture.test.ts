import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { cruise } from 'dependency-cruiser';
import type { ICruiseResult, IForbiddenRuleType } from 'dependency-cruiser';
import { beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Who may not know whom: model ← engine ← cli | extension, and model ← webview. */
const layers: IForbiddenRuleType[] = [
  {
    name: 'the model imports nobody',
    severity: 'error',
    from: { path: '^src/model/' },
    to: { pathNot: '^(src/model/|node_modules/zod/)' },
  },
  {
    name: 'the engine knows neither terminal nor editor nor panel',
    severity: 'error',
    from: { path: '^src/engine/' },
    to: { path: '^(src/(cli|extension)|webview)/' },
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
    name: 'a panel knows the model and nothing else of ours',
    severity: 'error',
    from: { path: '^webview/' },
    to: { path: '^src/(?!model/)' },
  },
  {
    name: 'a probe runs in somebody else’s app and brings nothing along',
    severity: 'error',
    from: { path: '^src/probe/' },
    to: { path: '^(src/(engine|cli|extension)|webview|node_modules)/' },
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
    from: { path: '^webview/', pathNot: '^webview/shared/toolkit\\.ts$' },
    to: { path: 'webview-ui-toolkit' },
  },
  { name: 'nothing of ours imports in a circle', severity: 'error', from: {}, to: { circular: true } },
  { name: 'nothing that ships imports a test', severity: 'error', from: { path: '^(src|webview)/' }, to: { path: '^test/' } },
];

async function cruised(forbidden: IForbiddenRuleType[]): Promise<ICruiseResult> {
  const { output } = await cruise(['src', 'webview'], {
    baseDir: root,
    validate: true,
    ruleSet: { forbidden },
    // Types tie files together as well as values do.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^webview/tmp/' },
  });
  if (typeof output === 'string') throw new Error(output);
  return output;
}

let result: ICruiseResult;
beforeAll(async () => {
  result = await cruised(layers);
}, 60_000);

describe('the layers', () => {
  it.each(layers.map(({ name }) => name ?? ''))('%s', (name) => {
    const broken = result.summary.violations.filter(({ rule }) => rule.name === name).map(({ from, to }) => `${from} → ${to}`);
    expect(broken).toEqual([]);
  });

  it('were seen: every source file was read, and its imports were resolved', () => {
    const modules = result.modules.filter(({ source }) => /^(src|webview)\//.test(source));
    expect(modules.length).toBeGreaterThan(150);
    const unresolved = modules.flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ couldNotResolve, module }) => couldNotResolve && module !== 'vscode')
        .map(({ module }) => `${source} → ${module}`),
    );
    expect(unresolved).toEqual([]);
  });

  it('would be seen to be broken: a rule that forbids what is done finds it', async () => {
    const { summary } = await cruised([
      { name: 'engine without model', severity: 'error', from: { path: '^src/engine/' }, to: { path: '^src/model/' } },
    ]);
    expect(summary.violations.length).toBeGreaterThan(20);
  }, 60_000);
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
