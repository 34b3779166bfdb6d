import type { CallTree } from '../../model/callTree.ts';
import { largestTextBytes, readBoundedSync } from '../files/boundedFile.ts';

const packageFolder = /^(\/.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;
const mostPackages = 500;

/** A recording in which packages of `node_modules` are called by name and version (`pg 8.13`), as they stand on this disk; others by their name alone. */
export function withPackageVersions(tree: CallTree): CallTree {
  const known = new Map<string, string>();
  const library = tree.functions.file.map((file, func) => {
    const [, folder, name] = (file.length < 4096 ? packageFolder.exec(file) : null) ?? [];
    if (folder === undefined || name === undefined) return tree.functions.library?.[func] ?? '';
    let called = known.get(folder);
    if (called === undefined) known.set(folder, (called = known.size < mostPackages ? calledIn(folder, name) : ''));
    return called;
  });
  return library.every((one) => one === '') ? tree : { ...tree, functions: { ...tree.functions, library } };
}

function calledIn(folder: string, name: string): string {
  try {
    const { version } = JSON.parse(readBoundedSync(`${folder}/package.json`, { largestBytes: largestTextBytes }).toString('utf8')) as {
      version?: unknown;
    };
    const short = typeof version === 'string' ? /^\d+\.\d+/.exec(version)?.[0] : undefined;
    return short === undefined ? '' : `${name} ${short}`;
  } catch {
    return '';
  }
}
