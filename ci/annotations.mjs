// Says at the lines of the source what "benchside diff --json" and "benchside check-routes --json" found there.
// Usage: node annotations.mjs FILE…   On standard output, as GitHub's runner reads them; with CODE_QUALITY=FILE as a report for GitLab.
// FOLDER: of benchside.json, from the root of the repository (default: the root).
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** More of them nobody reads. */
const most = 20;
const units = { ns: [1e6, 'ms'], bytes: [1024, 'KiB'], count: [1, ''] };

const found = process.argv
  .slice(2)
  .flatMap((file) => (existsSync(file) ? remarksIn(file) : []))
  .slice(0, most);
const { CODE_QUALITY: report, FOLDER: folder = '.' } = process.env;
const placed = found.map((one) => ({ ...one, file: path.posix.normalize(path.posix.join(folder, one.file)) }));
if (report === undefined) for (const one of placed) console.log(githubCommand(one));
else writeFileSync(report, `${JSON.stringify(placed.map(codeQuality), null, 2)}\n`);

function remarksIn(file) {
  let said;
  try {
    said = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
  return [...(said.diff?.why?.functions ?? []).flatMap(functionRemark), ...(said.routes ?? []).flatMap(routeRemark)];
}

/** A function that the change touched and that takes more for each request. */
function functionRemark({ name, file, line, touched, change, event, unit }) {
  if (file === null || line === null || !touched || !(change > 0)) return [];
  const [size, word] = units[unit] ?? units.count;
  return [
    {
      level: 'warning',
      file,
      line,
      text: `${name} takes ${Number((change / size).toPrecision(3))} ${word} more for each request (${event})`.replace('  ', ' '),
    },
  ];
}

/** A route that is above its budget, or is not answered well. */
function routeRemark({ route, place, above, problem }) {
  const said = problem ?? above.join('; ');
  return said === '' || place === null ? [] : [{ level: 'error', file: place.file, line: place.line, text: `${route}: ${said}` }];
}

/** Texts of others end no command and begin none. */
function githubCommand({ level, file, line, text }) {
  const data = (value) => String(value).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (value) => data(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${level} file=${property(file)},line=${property(line)},title=Benchside::${data(text)}`;
}

function codeQuality({ level, file, line, text }) {
  return {
    description: text,
    check_name: 'benchside',
    fingerprint: createHash('sha256')
      .update(`${file}\n${text.replace(/[\d.]+/g, '')}`)
      .digest('hex'),
    severity: level === 'error' ? 'major' : 'minor',
    location: { path: file, lines: { begin: line } },
  };
}
