import { ConfigurationError } from './configurationError.mjs';
import { serve } from './serve.mjs';

/**
 * Starts a service, as one process or as several behind one port.
 * @param service how its settings are read from the environment, how what its handlers use is opened, and its routes
 */
export async function start({ readConfiguration, openServices, routes }) {
  try {
    const configuration = readConfiguration(process.env);
    const run = async (alone) => serve(configuration, await openServices(configuration), routes, alone);
    if (configuration.workers === 1) {
      await run(true);
    } else {
      const { shareAmongWorkers } = await import('./workers.mjs');
      await shareAmongWorkers(configuration, () => run(false));
    }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`bulletin-board: ${error.message}\n`);
    process.exit(1);
  }
}
