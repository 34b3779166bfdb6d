import { isMainThread } from 'node:worker_threads';
import { engineAddress, isPackageManager } from './launchedAs.ts';
import { startInspectorProbe, startProbe } from './probe.ts';

// Loaded by `--require` into an app and into everything that it starts: whatever is not the app itself is left alone.
try {
  const address = engineAddress(process.env);
  if (address !== null && isMainThread && !isPackageManager(process.argv[1])) {
    if (process.env['BENCHSIDE_PROBE_ONLY'] === 'inspector') startInspectorProbe(address);
    else startProbe(address);
  }
} catch {
  // An app without figures is better than one that does not start.
}
