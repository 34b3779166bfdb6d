const WARNING_INTERVAL_MS = 1000;

/** Lines for people on stderr: time, level, text. */
export const log = {
  info: (text) => write('INFO', text),
  error: (text, error) => write('ERROR', error === undefined ? text : `${text}\n${error.stack ?? error}`),
  warnSometimes,
};

let lastWarningAt = -Infinity;
let leftOut = 0;

/** A warning that may come thousands of times a second is written once a second, with the number of those left out. */
function warnSometimes(text) {
  const now = performance.now();
  if (now - lastWarningAt < WARNING_INTERVAL_MS) {
    leftOut += 1;
    return;
  }
  write('WARN', leftOut === 0 ? text : `${text} (and ${leftOut} times before)`);
  lastWarningAt = now;
  leftOut = 0;
}

function write(level, text) {
  process.stderr.write(`${new Date().toISOString()} ${level} ${text}\n`);
}
