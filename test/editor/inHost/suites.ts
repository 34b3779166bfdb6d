import { registerExtensionSuite } from './extension.suite.ts';
import { registerFlameSuite } from './flame.suite.ts';
import { registerHostSuite } from './host.suite.ts';
import { registerToolsSuite } from './tools.suite.ts';
import { registerTuningSuite } from './tuning.suite.ts';

/** Every suite that runs inside the extension host, in this order. */
export const suites: readonly (() => void)[] = [
  registerHostSuite,
  registerExtensionSuite,
  registerFlameSuite,
  registerToolsSuite,
  registerTuningSuite,
];
