import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { searchText } from './searchText.mjs';

const helper = new URL('./searchHelper.mjs', import.meta.url);

/**
 * Where texts are searched: in the event loop (`request`), or by helpers outside of it, each of which does one search at a time (`worker`: threads,
 * `process`: child processes).
 * @returns an object with `search(word)` and `close()`
 */
export function openSearch({ searchIn, searchWorkers }, log) {
  if (searchIn === 'request') return { search: searchText, close() {} };
  return new SearchHelpers(searchIn === 'worker' ? startThread : startProcess, searchWorkers, log);
}

/** A helper: `send(word)`, `stop()`; it calls back with each result, and once when it has ended. */
function startThread({ onResult, onEnd }) {
  const worker = new Worker(helper);
  worker.on('message', onResult);
  worker.on('error', () => {}); // 'exit' follows
  worker.on('exit', onEnd);
  return { send: (word) => worker.postMessage(word), stop: () => worker.terminate() };
}

function startProcess({ onResult, onEnd }) {
  const child = fork(fileURLToPath(helper), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.on('message', onResult);
  child.on('error', () => {});
  child.on('exit', onEnd);
  return { send: (word) => child.send(word, () => {}), stop: () => child.kill('SIGKILL') };
}

class SearchHelpers {
  #start;
  #log;
  #idle = [];
  #waiting = [];
  #all = new Set();
  #closed = false;

  constructor(start, count, log) {
    this.#start = start;
    this.#log = log;
    for (let i = 0; i < count; i += 1) this.#add();
  }

  search(word) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ word, resolve, reject });
      this.#next();
    });
  }

  close() {
    this.#closed = true;
    for (const slot of this.#all) slot.helper.stop();
  }

  #add() {
    const slot = { helper: undefined, task: undefined };
    slot.helper = this.#start({
      onResult: (result) => {
        const { task } = slot;
        slot.task = undefined;
        this.#idle.push(slot);
        task?.resolve(result);
        this.#next();
      },
      onEnd: () => this.#replace(slot),
    });
    this.#all.add(slot);
    this.#idle.push(slot);
  }

  #replace(slot) {
    this.#all.delete(slot);
    this.#idle = this.#idle.filter((other) => other !== slot);
    if (this.#closed) return;
    this.#log.error('a search helper has ended; another one is started');
    slot.task?.reject(new Error('the search helper has ended'));
    this.#add();
    this.#next();
  }

  #next() {
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const slot = this.#idle.pop();
      slot.task = this.#waiting.shift();
      slot.helper.send(slot.task.word);
    }
  }
}
