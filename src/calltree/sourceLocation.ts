import { literalPattern } from '../model/domain/plainText.ts';

/** A function as the recording names it; see `profile/frame`. */
export interface FrameRef {
  name: string;
  file: string;
  kind: string;
}

/** Where the source of a function is to be looked for; paths as recorded, with slashes. */
export type SourceTarget =
  | { kind: 'path'; path: string }
  /** A class of the JVM: its file is `packagePath/className` with the extension of its language. */
  | { kind: 'java'; packagePath: string; className: string }
  | { kind: 'none'; reason: string };

export const jvmExtensions = ['java', 'kt', 'scala', 'groovy'] as const;
const jvmFile = /\.(java|kt|scala|groovy)$/;
const platformPackage = /^(java|javax|jdk|sun|com\/sun)(\/|$)/;
const longestName = 2_000;
const mostCandidates = 64;

/** Reads what a frame says about its source. The texts are untrusted: nothing here touches the disk. */
export function sourceTarget(frame: FrameRef): SourceTarget {
  const name = frame.name.slice(0, longestName);
  const file = frame.file.slice(0, longestName).replaceAll('\\', '/');
  if (frame.kind === 'kernel') return none('It is code of the operating system’s kernel.');
  if (frame.kind === 'gc') return none('It is the garbage collector.');
  if (frame.kind === 'idle') return none('Nothing was executing.');
  if (file.startsWith('node:')) return none('It is part of Node itself.');
  if (/^(https?|data|blob|wasm):|^evalmachine\b/i.test(file)) return none('Its code was not loaded from a file.');
  if (/^(\/\/|file:\/\/[^/])/.test(file)) return none('It is on another computer.');
  if (file !== '' && !(jvmFile.test(file) && !file.startsWith('/') && !/^[A-Za-z]:/.test(file))) {
    const path = plainPath(file);
    return path === null ? none('Its code was not loaded from a file.') : { kind: 'path', path };
  }
  const found = jvmClass(name, file);
  if (found !== null) return found;
  if (frame.kind === 'native' || frame.kind === 'jit') return none('It is native code.');
  return none('The recording does not tell its file.');
}

/** The path in `file:///a/b`, `webpack://app/./src/b` or a plain path; null for other addresses. */
function plainPath(file: string): string | null {
  if (file.startsWith('file:///')) {
    try {
      const path = decodeURIComponent(file.slice('file://'.length));
      return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
    } catch {
      return null;
    }
  }
  const bundled = /^webpack(?:-internal)?:\/\/\/?(?:[^/]*\/)??(\.\/.*|src\/.*)$/.exec(file)?.[1];
  if (bundled !== undefined) return bundled.replace(/^\.\//, '');
  return /^[a-z][a-z0-9+.-]+:/i.test(file) ? null : file;
}

function jvmClass(name: string, file: string): SourceTarget | null {
  // A class file made of package and class, such as bulletin/Database.java.
  if (file.includes('/')) {
    const stem = file.replace(jvmFile, '');
    return { kind: 'java', packagePath: stem.slice(0, stem.lastIndexOf('/')), className: stem.slice(stem.lastIndexOf('/') + 1) };
  }
  const plain = name
    .replace(/_\[[a-z0-9]\]$/i, '')
    .replace(/\$\$(Lambda|FastClass|Enhancer)[^.]*(\.0x[0-9a-f]+)?/, '')
    .replaceAll('/', '.');
  const parts = plain.split('.');
  if (parts.length < 2 || !parts.every((part) => /^[\p{L}_$<][\p{L}\p{N}_$<>-]*$/u.test(part))) return null;
  const className = file !== '' ? file.replace(jvmFile, '') : (parts.at(-2)?.split('$')[0] ?? '');
  if (className === '') return null;
  return { kind: 'java', packagePath: parts.slice(0, -2).join('/'), className };
}

function none(reason: string): SourceTarget {
  return { kind: 'none', reason };
}

/** Whether a package is the JDK’s own, which no workspace holds. */
export function isPlatformPackage(packagePath: string): boolean {
  return platformPackage.test(packagePath);
}

/** Names of the files that can hold a class: `FooKt` is what Kotlin makes of the file Foo.kt. */
export function jvmFileNames(className: string): string[] {
  const stems = className.endsWith('Kt') && className.length > 2 ? [className, className.slice(0, -2)] : [className];
  return stems.flatMap((stem) => jvmExtensions.map((extension) => `${stem}.${extension}`));
}

/** Whether a source text declares this package. */
export function declaresPackage(text: string, packagePath: string): boolean {
  const dotted = packagePath.replaceAll('/', '.');
  if (dotted === '') return !/^\s*package\s/m.test(text);
  return new RegExp(`^\\s*package\\s+${literalPattern(dotted)}\\s*(;|$|\\{)`, 'm').test(text);
}

/**
 * Absolute paths at which a recorded file may be, the likeliest first: where it was recorded, then its trailing parts below each root (it may
 * have run in a container or on another machine). A single file name is tried only for files that lie at the top, and what lies in
 * node_modules only together with that folder, or another file of the same name would be shown.
 */
export function pathCandidates(recorded: string, roots: readonly string[]): string[] {
  const path = recorded.replaceAll('\\', '/');
  if (path.startsWith('//') || path.includes('\0')) return [];
  const absolute = path.startsWith('/') || /^[A-Za-z]:\//.test(path);
  const parts = path.split('/').filter((part, index) => part !== '' && part !== '.' && !(index === 0 && /^[A-Za-z]:$/.test(part)));
  const found = absolute ? [path] : [];
  if (parts.length === 0 || parts.includes('..')) return found;
  const modules = parts.indexOf('node_modules');
  const last = modules >= 0 ? modules : parts.length <= 2 ? parts.length - 1 : parts.length - 2;
  for (let from = 0; from <= last; from += 1) {
    for (const root of roots) found.push(`${root.replaceAll('\\', '/').replace(/\/$/, '')}/${parts.slice(from).join('/')}`);
  }
  return [...new Set(found)].slice(0, mostCandidates);
}
