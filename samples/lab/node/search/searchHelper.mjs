// Searches outside of the event loop of the service: a worker thread or a child process that answers each word it is sent.
import { parentPort } from 'node:worker_threads';
import { searchText } from './searchText.mjs';

if (parentPort === null) {
  process.on('message', (word) => process.send(searchText(word)));
  // A terminal's interrupt goes to the service too, which ends this process when it has finished.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit(0));
} else {
  parentPort.on('message', (word) => parentPort.postMessage(searchText(word)));
}
