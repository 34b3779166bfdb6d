import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../../model/domain/attempt.ts';
import { type Failure, failure } from '../../../model/domain/failure.ts';
import { reachableByOthers } from '../../services/privateFolder.ts';
import { type ExchangeFolder, exchangeFolderForm } from './exchangeFolder.ts';
import type { JvmProcess } from './jvmProcess.ts';
import { mapsOf } from './memoryMaps.ts';

const libraryName = process.platform === 'darwin' ? 'libasyncProfiler.dylib' : 'libasyncProfiler.so';
const anyProfiler = /\/libasyncProfiler[^/]*\.(so|dylib)$/;
const ownCopy = new RegExp(String.raw`/${exchangeFolderForm}/libasyncProfiler\.(?:so|dylib)$`);

/** async-profiler's native library for this machine, as it comes with the extension. */
export function profilerLibrary(assetsDir: string): string {
  return path.join(assetsDir, 'vendor', 'async-profiler', `${process.platform}-${process.arch}`, libraryName);
}

/** Why async-profiler cannot be used on this machine, or null. */
export function libraryProblem(assetsDir: string): Failure | null {
  if (process.platform !== 'linux' && process.platform !== 'darwin') {
    return failure(
      'profiler-unsupported',
      'async-profiler does not exist for Windows.',
      'Record with JDK Flight Recorder, or run the service and Benchside in WSL.',
    ).failure;
  }
  if (existsSync(profilerLibrary(assetsDir))) return null;
  return failure(
    'profiler-missing',
    `This installation has no async-profiler for ${process.platform}-${process.arch}.`,
    'Install the extension’s package for this platform, or run “node scripts/fetchAsyncProfiler.mjs” in its sources; until then record with JDK Flight Recorder.',
  ).failure;
}

/** Whether a file that a JVM has loaded is a copy that Benchside made for it; it is gone by then. */
export function isOwnCopy(file: string): boolean {
  return ownCopy.test(file);
}

/** The path by which the JVM loads the library: a copy is made for it only where it cannot read Benchside's. */
export async function libraryFor(jvm: JvmProcess, exchange: ExchangeFolder, assetsDir: string): Promise<string> {
  const own = profilerLibrary(assetsDir);
  // One JVM must not load it twice, or two profilers would take each other's signals; the loader knows it by the path it was loaded from.
  const loaded = mapsOf(jvm.pid)?.find(isOwnCopy);
  if (loaded !== undefined) return loaded;
  const isReachable = jvm.rootDir === '' && (jvm.uid === process.geteuid?.() || jvm.uid === 0 || readableByAll(own));
  return isReachable ? own : exchange.put(own, libraryName);
}

/** async-profilers that another tool has loaded into the JVM. */
export function foreignProfilers(jvm: JvmProcess, own: string): string[] {
  return (mapsOf(jvm.pid) ?? []).filter((file) => anyProfiler.test(file) && file !== own && !isOwnCopy(file));
}

function readableByAll(file: string): boolean {
  return attempt(() => (statSync(file).mode & 0o004) !== 0 && reachableByOthers(path.dirname(file)), false);
}
