import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openProfile } from '../../../src/engine/calltree/openProfile.ts';
import { writePprof } from '../../../src/engine/calltree/writePprof.ts';
import { type Input, jfrConverter, made, runProgram } from './inputs.ts';

/**
 * Installs the viewers that come from npm, and makes the files that some of them read instead of the input. That is not counted; how long the
 * making took, in ms, is given for the report.
 */
export async function prepareFor(viewer: string, input: Input, root: string): Promise<number> {
  if (viewer === 'ours') return 0;
  const peers = path.join(root, 'tools', 'bench-peers');
  if (viewer !== 'flame-html') installPeers(peers);
  if (viewer === 'flame-html') {
    const html = `${input.file}.flame.html`;
    return made(html, input.file, () => runProgram('java', ['-jar', jfrConverter(), input.file, html]));
  }
  if (viewer !== 'react-pprof') return 0;
  const pprof = `${input.file}.pb.gz`;
  const html = `${input.file}.react-pprof.html`;
  // Their format; a service would write it on its own, so that it is not counted as theirs.
  await made(pprof, input.file, async () => {
    const tree = await openProfile(input.file);
    writeFileSync(pprof, writePprof(tree, tree.events));
  });
  const cli = path.join(peers, 'node_modules', 'react-pprof', 'cli.js');
  return made(html, pprof, () => runProgram(process.execPath, ['--max-old-space-size=8192', cli, '-o', html, pprof]));
}

function installPeers(folder: string): void {
  if (existsSync(path.join(folder, 'node_modules', '.package-lock.json'))) return;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error('npm could not install the other viewers.');
}
