import type { FileOf } from '../calltree/writeFunctionJson.ts';
import { SourceFinder } from './sourceFinder.ts';
import { sourceTarget } from '../../calltree/sourceLocation.ts';

/**
 * Names the files of functions: the one that is there, else the path as recorded, else for a function of a JVM of which a line is known the path of its
 * outermost class, such as `bulletin/Database.java`. '' where none of these is known.
 *
 * @param roots absolute paths of folders in which sources are looked for.
 */
export function functionFiles(roots: readonly string[]): FileOf {
  const finder = new SourceFinder(roots);
  return ({ name, file, kind, line }) => {
    const target = sourceTarget({ name, file, kind });
    if (target.kind === 'none' || (target.kind === 'java' && line === 0)) return file;
    const found = finder.find(target);
    if (found !== null) return found;
    if (target.kind === 'path' || file !== '') return file;
    return `${target.packagePath === '' ? '' : `${target.packagePath}/`}${target.className}.java`;
  };
}
