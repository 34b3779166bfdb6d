import { ConfigurationError } from './configurationError.mjs';
import { readConfiguration } from './configuration.mjs';
import { serve } from './serve.mjs';

try {
  const configuration = readConfiguration(process.env);
  if (configuration.workers === 1) {
    await serve(configuration);
  } else {
    const { shareAmongWorkers } = await import('./workers.mjs');
    await shareAmongWorkers(configuration);
  }
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`bulletin-board: ${error.message}\n`);
  process.exit(1);
}
