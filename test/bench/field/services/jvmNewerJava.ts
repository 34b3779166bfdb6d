import { newerJdks, pathOf } from '../../../fixtures/jvmProbe/jdks.ts';
import path from 'node:path';

/** What a shell holds in which a newer JDK was chosen; nothing where there is none. */
export function newerJavaFirst(): Record<string, string> {
  const [newer] = newerJdks;
  return newer === undefined ? {} : { JAVA_HOME: path.dirname(newer.binDir), PATH: pathOf(newer) };
}
