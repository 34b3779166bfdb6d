import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './engine.ts';
import { commitFiles, gitIn, gitRepository } from './gitRepository.ts';

/** A repository whose configuration names a program wherever Git knows a place for one, in a submodule as well. */
export interface PlantedRepository {
  top: string;
  /** Which of the programs were started since this was asked last. */
  started: () => string[];
}

const hooks = ['post-index-change', 'post-checkout', 'reference-transaction', 'pre-commit', 'sendemail-validate', 'post-rewrite'];

/** What the programs are called that a reading Git, called as people do, starts. */
export const startedByStatus = ['fsmonitor', 'clean', 'fsmonitor-of-submodule', 'clean-of-submodule'];

export function plantedRepository(files: Readonly<Record<string, string>>): PlantedRepository {
  const library = gitRepository({ 'index.js': '' });
  const top = gitRepository({ 'read.txt': 'read', ...files });
  gitIn(top, 'submodule', '--quiet', 'add', '--name', 'library', library, 'library');
  commitFiles(top, {}, 'with a submodule');
  commitFiles(top, { 'read.txt': 'read twice' }, 'third');
  const evidence = path.join(temporaryFolder('evidence'), 'started');
  const programs = temporaryFolder('programs');
  const program = (name: string): string => {
    const file = path.join(programs, name);
    writeFileSync(file, `#!/bin/sh\necho "${name}" >> ${evidence}\nexec cat\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const plant = (dir: string, suffix: string): void => {
    const settings: Record<string, string> = {
      'core.fsmonitor': 'fsmonitor',
      'core.pager': 'pager',
      'core.editor': 'editor',
      'core.askPass': 'askpass',
      'core.sshCommand': 'ssh',
      'core.gitProxy': 'git-proxy',
      'core.alternateRefsCommand': 'alternate-refs',
      'credential.helper': 'credential',
      'diff.external': 'diff',
      'diff.a b.command': 'diff-of-attribute',
      'diff.a b.textconv': 'textconv',
      'filter.odd=name.clean': 'clean',
      'filter.odd=name.required': 'true',
      'gpg.program': 'gpg',
      'pager.status': 'pager-of-status',
      'pager.log': 'pager-of-log',
      'remote.origin.uploadpack': 'upload-pack',
      'remote.origin.vcs': 'remote-helper',
    };
    const gitDir = gitIn(dir, 'rev-parse', '--absolute-git-dir');
    for (const hook of hooks) {
      mkdirSync(path.join(gitDir, 'hooks'), { recursive: true });
      writeFileSync(path.join(gitDir, 'hooks', hook), `#!/bin/sh\necho "${hook}${suffix}" >> ${evidence}\n`, { mode: 0o755 });
    }
    appendFileSync(path.join(gitDir, 'info', 'attributes'), 'read.txt diff=ab\n');
    for (const [key, value] of Object.entries(settings)) {
      const what = value === 'true' ? value : program(`${value}${suffix}`);
      execFileSync('git', ['config', key, what], { cwd: dir });
    }
    execFileSync('git', ['config', 'log.showSignature', 'true'], { cwd: dir });
  };
  // What is smudged is refused by its name; what is cleaned only is not. Neither is run.
  writeFileSync(path.join(top, '.gitattributes'), '*.txt filter=odd=name\n');
  writeFileSync(path.join(top, 'read.txt'), 'read three');
  writeFileSync(path.join(top, 'library', '.gitattributes'), '*.js filter=odd=name\n');
  writeFileSync(path.join(top, 'library', 'index.js'), '//');
  plant(path.join(top, 'library'), '-of-submodule');
  plant(top, '');
  const started = (): string[] => {
    const found = existsSync(evidence) ? readFileSync(evidence, 'utf8').trim().split('\n') : [];
    rmSync(evidence, { force: true });
    return [...new Set(found)];
  };
  started();
  return { top, started };
}
