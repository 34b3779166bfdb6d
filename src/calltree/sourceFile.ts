import { type FunctionTable, frameKinds } from '../model/domain/callTree.ts';

/** Where the source of a function may be found: a path as recorded, or one that Java's convention gives for its class. */
export interface SourceFile {
  file: string;
  kind: 'path' | 'javaClass';
}

const longestPath = 4096;
const javaName = /^((?:[\p{L}\p{N}_$]+[./])*)([\p{L}_][\p{L}\p{N}_]*)[^./]*\.[^./]+$/u;
const jvmSource = /^[\p{L}\p{N}_$-]+\.(?:java|kt|scala|groovy|clj)$/u;
const absolute = /^(?:\/|[A-Za-z]:[\\/])/;
/** A relative path that names a file; a scheme such as `webpack://` is none. */
const relative = /^(?![a-z][a-z0-9+.-]*:)[^<>]*\.[A-Za-z]\w{0,9}$/;

/** The source file of an app's or dependency's function; null for other functions, or where the file is not known. */
export function sourceFileOf(functions: FunctionTable, func: number): SourceFile | null {
  const kind = frameKinds[functions.kind[func] ?? 0];
  if (kind !== 'app' && kind !== 'dependency') return null;
  const file = functions.file[func] ?? '';
  const name = functions.name[func] ?? '';
  if (file.length > longestPath || name.length > longestPath) return null;
  if (file === '' || jvmSource.test(file)) {
    const [, packages, className] = javaName.exec(name) ?? [];
    if (packages === undefined || className === undefined) return file === '' ? null : { file, kind: 'path' };
    return { file: `${packages.replaceAll('.', '/')}${file === '' ? `${className}.java` : file}`, kind: 'javaClass' };
  }
  return absolute.test(file) || relative.test(file) ? { file, kind: 'path' } : null;
}
