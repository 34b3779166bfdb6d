import { isMainThread } from 'node:worker_threads';
import { engineAddress, isIntrospected, isPackageManager } from './launchedAs.ts';
import { givenLogin, watchDatabases } from './namedDatabases.ts';
import { startInspectorProbe, startProbe } from './probe.ts';

// Loaded by `--require` into an app and into everything that it starts: whatever is not the app itself is left alone.
try {
  const [address, login] = [engineAddress(process.env), givenLogin(process.env)];
  const watch = login !== null || isIntrospected(process.env) ? () => watchDatabases(login) : () => null;
  if (address !== null && isMainThread && !isPackageManager(process.argv[1])) {
    if (process.env['BENCHSIDE_PROBE_ONLY'] === 'inspector') {
      watch();
      startInspectorProbe(address);
    } else startProbe(address, watch);
  } else watch();
} catch {
  // An app without figures is better than one that does not start.
}
