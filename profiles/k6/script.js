// The load of plan.json for k6 (https://k6.io), written by “benchside export k6”. Everything that differs from one export to the next is in plan.json.
// What a request asks for follows from the seed and the number of its iteration alone, so that every runner and every repetition asks the same.
import { sleep } from 'k6';
import exec from 'k6/execution';
import { parseHTML } from 'k6/html';
import http from 'k6/http';
import { Counter, Gauge, Trend } from 'k6/metrics';

const plan = JSON.parse(open('./plan.json'));
const { traffic, settleS, durationS } = plan;

/** Which of the plan's tests this is, from 0: a trial in a round. */
const number = Number(__ENV.BENCHSIDE_TEST || 0);
const test = plan.tests[number];
if (test === undefined) throw new Error(`BENCHSIDE_TEST is ${__ENV.BENCHSIDE_TEST}: the plan has the tests 0 to ${plan.tests.length - 1}.`);
const { connections } = plan.trials[test.trial];
/** Where the service is; several addresses, with commas between, share the load. */
const bases = (__ENV.BENCHSIDE_URL || plan.url).split(',').map((text) => text.trim().replace(/\/$/, ''));
const runners = Number(__ENV.BENCHSIDE_RUNNERS || 1);

// ---- options

const measured = traffic.slo === null ? '' : '{phase:measure,expected_response:true}';

function thresholds() {
  const { slo } = traffic;
  if (slo === null) return {};
  const latency = [
    ...(slo.p50Ms === undefined ? [] : [`p(50)<=${slo.p50Ms}`]),
    ...(slo.p95Ms === undefined ? [] : [`p(95)<=${slo.p95Ms}`]),
    ...(slo.p99Ms === undefined ? [] : [`p(99)<=${slo.p99Ms}`]),
    ...(slo.p999Ms === undefined ? [] : [`p(99.9)<=${slo.p999Ms}`]),
  ];
  return {
    ...(latency.length === 0 ? {} : { [`http_req_duration${measured}`]: latency }),
    ...(slo.errorShare === undefined ? {} : { 'http_req_failed{phase:measure}': [`rate<=${slo.errorShare}`] }),
    // Each runner sees its share of the requests only.
    ...(slo.throughput === undefined ? {} : { [`http_reqs${measured}`]: [`count>=${(slo.throughput * durationS) / runners}`] }),
  };
}

function scenarios() {
  const seconds = settleS + durationS;
  const gracefulStop = '1s';
  const stages = (list) => list.map(({ users, seconds: each }) => ({ target: users, duration: `${each}s` }));
  if (traffic.kind === 'roles') {
    if (traffic.stages === null)
      return { walk: { executor: 'constant-vus', exec: 'walk', vus: connections, duration: `${seconds}s`, gracefulStop } };
    return Object.fromEntries(
      traffic.roles.map((role, index) => [
        `role${index}`,
        { executor: 'ramping-vus', exec: 'walk', startVUs: 0, stages: stages(role.stages), gracefulStop, gracefulRampDown: '30s' },
      ]),
    );
  }
  if (traffic.stages !== null) {
    return {
      mix: { executor: 'ramping-vus', exec: 'mix', startVUs: 0, stages: stages(traffic.stages), gracefulStop, gracefulRampDown: '30s' },
    };
  }
  if (traffic.open === null)
    return { mix: { executor: 'constant-vus', exec: 'mix', vus: connections, duration: `${seconds}s`, gracefulStop } };
  const { ratePerS, maxInFlight } = traffic.open;
  // k6 takes whole numbers only.
  const [rate, timeUnit] = Number.isInteger(ratePerS) ? [ratePerS, '1s'] : [Math.round(ratePerS * 1000), '1000s'];
  const executor = 'constant-arrival-rate';
  return {
    mix: {
      executor,
      exec: 'mix',
      rate,
      timeUnit,
      duration: `${seconds}s`,
      preAllocatedVUs: maxInFlight,
      maxVUs: maxInFlight,
      gracefulStop,
    },
  };
}

export const options = {
  scenarios: scenarios(),
  thresholds: thresholds(),
  // Fewer columns make smaller files; these are what the import reads.
  systemTags: ['status', 'method', 'name', 'error_code', 'expected_response', 'scenario'],
  discardResponseBodies: true,
  maxRedirects: 0,
  noCookiesReset: traffic.kind === 'roles',
  batchPerHost: 6,
  userAgent: 'benchside-k6',
};

// ---- random numbers: the same as Benchside's own

const twoTo32 = 4294967296;
const weyl = 0x9e3779b9;

function mix32(value) {
  let z = value | 0;
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
  return (z ^ (z >>> 16)) >>> 0;
}

const blockSeed = (seed, round) => (mix32(seed >>> 0) + Math.imul(round, weyl)) >>> 0;
const originOf = (seed) => mix32(seed >>> 0) ^ mix32(Math.floor(seed / twoTo32) >>> 0);

let state = 0;
function seek(origin, index) {
  state = mix32(origin + Math.imul(index + 1, weyl));
}
function nextUint32() {
  state = (state + weyl) | 0;
  return mix32(state);
}
function nextFraction() {
  return nextUint32() / twoTo32;
}
function nextInteger(min, max) {
  const span = max - min + 1;
  if (span <= twoTo32) return min + Math.floor(nextFraction() * span);
  const fraction = (nextUint32() * 2097152 + (nextUint32() >>> 11)) / Number.MAX_SAFE_INTEGER;
  return Math.min(max, min + Math.floor(fraction * span));
}

/** Chooses entries of a mix: sixteen in a row hold it as exactly as whole requests can. */
const inARow = 16;
function evenDraw(origin, index) {
  const row = Math.floor(index / inARow);
  seek(origin, -1);
  const offset = (nextFraction() + row * 0.6180339887498949) % 1;
  seek(origin, -2 - row);
  const places = [];
  for (let i = 0; i < inARow; i++) places.push(i);
  for (let last = inARow - 1; last > 0; last--) {
    const other = nextInteger(0, last);
    [places[last], places[other]] = [places[other], places[last]];
  }
  return (places[index % inARow] + offset) / inARow;
}

const { seed } = test;

// ---- a request

const statuses = { min: 200, max: 399 };

/** What goes with every request of a name, while it settles and while it is measured. */
function paramsOf(name, { headers = {}, expect = [], readsBody = false } = {}) {
  const common = {
    headers,
    redirects: 0,
    timeout: traffic.timeoutMs,
    responseCallback: expect.length === 0 ? http.expectedStatuses(statuses) : http.expectedStatuses(...expect),
    ...(readsBody ? { responseType: 'text' } : {}),
  };
  if (traffic.slo === null) {
    const params = { ...common, tags: { name } };
    return [params, params];
  }
  return [
    { ...common, tags: { name, phase: 'settle' } },
    { ...common, tags: { name, phase: 'measure' } },
  ];
}

const isMeasured = () => (Date.now() - exec.scenario.startTime >= settleS * 1000 ? 1 : 0);

/** When the test began, and which share of it this runner has: the import finds the measured window by it, and sees whether a runner's file is missing. */
const started = new Gauge('benchside_started');
let told = false;

function tellStart() {
  told = true;
  const segment = exec.test.options.executionSegment || '0:1';
  // Not among the tags of all rows: those that the operator gives a k6 on its command line take the place of the script’s.
  started.add(exec.scenario.startTime, { segment, benchside: `${plan.id}.${number}` });
  // Whoever cannot read the file before the end reads the log.
  if (__ENV.BENCHSIDE_TELL && exec.scenario.iterationInInstance === 0)
    console.log(`benchside started ${exec.scenario.startTime} ${segment}`);
}

// ---- requests drawn from a mix by weight

const mixOrigin = originOf(seed);
/** Sets the pauses apart from the requests. */
const pauseOrigin = originOf(blockSeed(seed, 7919));
const requests = traffic.kind === 'mix' ? traffic.requests.map((request) => ({ ...request, params: paramsOf(request.name, request) })) : [];
const drawn = [];

function fillDrawn({ literals, holes }, draws, part) {
  let text = literals[0];
  for (let i = 0; i < holes.length; i++) {
    const { texts } = draws[holes[i]];
    const number = drawn[holes[i]];
    text += (texts === null ? String(number) : texts[part][number]) + literals[i + 1];
  }
  return text;
}

export function mix() {
  if (!told) tellStart();
  const index = exec.scenario.iterationInTest;
  let request = requests[requests.length - 1];
  if (requests.length > 1) {
    const draw = evenDraw(mixOrigin, index);
    request = requests.find(({ upTo }) => draw < upTo) || request;
  }
  seek(mixOrigin, index);
  const { draws, body } = request;
  for (let i = 0; i < draws.length; i++) drawn[i] = nextInteger(draws[i].min, draws[i].max);
  // A connection keeps to its address; requests of an open loop take turns.
  const base = bases[(traffic.open === null ? exec.vu.idInTest - 1 : index) % bases.length];
  const sent = body === null ? null : fillDrawn(body, draws, 'body');
  http.request(request.method, base + fillDrawn(request.path, draws, 'path'), sent, request.params[isMeasured()]);
  if (traffic.thinkTimeMs > 0) {
    seek(pauseOrigin, index);
    sleep((traffic.thinkTimeMs * (0.5 + nextFraction())) / 1000);
  }
}

// ---- users who walk through roles, each with cookies, extracted values and a cache of its own

const failed = new Counter('benchside_failed');
const page = new Trend('benchside_page', true);
const longestValue = 4096;

const roles =
  traffic.kind === 'roles'
    ? traffic.roles.map((role) => {
        const ready = (step) => ({
          ...step,
          tagged: `${role.name} ${step.name}`,
          params: paramsOf(`${role.name} ${step.name}`, { ...step, headers: {} }),
          assetParams: step.assets ? paramsOf(`${role.name} ${step.name} (assets)`) : null,
          regexes: Object.fromEntries(
            step.extract.filter(({ from }) => from.startsWith('regex:')).map(({ name, from }) => [name, new RegExp(from.slice(6), 'u')]),
          ),
        });
        return { ...role, once: role.once.map(ready), steps: role.steps.map(ready) };
      })
    : [];

/** This virtual user's own. */
let user = null;

function arrive() {
  const id = exec.vu.idInTest;
  const role = traffic.stages === null ? roles[traffic.roleOfUser[id - 1]] : roles[Number(exec.scenario.name.slice(4))];
  const unique = `${Date.now().toString(36)}-${id}`;
  return { id, role, unique, origin: originOf(blockSeed(seed, id)), iteration: 0, attempts: 0, arrived: false, values: {}, cached: {} };
}

export function walk() {
  if (!told) tellStart();
  user = user || arrive();
  if (!user.arrived) {
    seek(user.origin, -user.attempts);
    user.attempts += 1;
    if (!walkSteps(user.role.once)) {
      sleep(1);
      return;
    }
    user.arrived = true;
  }
  user.iteration += 1;
  seek(user.origin, user.iteration);
  walkSteps(user.role.steps);
}

/** Whether all of them could be walked. */
function walkSteps(steps) {
  for (const step of steps) {
    const end = take(step);
    if (end === 'lost') sleep(0.05);
    if (end !== 'done') return false;
    const { min, max } = step.thinkMs;
    if (max > 0) sleep((min + nextFraction() * (max - min)) / 1000);
  }
  return true;
}

function take(step) {
  const base = bases[(user.id - 1) % bases.length];
  const began = Date.now();
  const path = fill(step.path, encodeInPath);
  const headers = {};
  for (const { name, value } of step.headers) headers[name] = fill(value, encodeInHeader);
  const body = bodyOf(step, headers);
  const response = http.request(step.method, base + path, body, { ...step.params[isMeasured()], headers });
  if (response.status === 0) return 'lost';
  const right = step.expect.length === 0 ? response.status >= 200 && response.status < 400 : step.expect.includes(response.status);
  if (!right) return step.extract.length > 0 ? 'over' : 'done';
  if (!extract(step, response)) {
    failed.add(1, { name: step.tagged });
    return 'over';
  }
  if (step.assets) {
    fetchAssets(step, base, path, response);
    page.add(Date.now() - began, { name: step.tagged });
  }
  return 'done';
}

function bodyOf(step, headers) {
  if (step.body !== null) {
    if (step.body.isJson && headers['content-type'] === undefined) headers['content-type'] = 'application/json';
    return fill(step.body.text, step.body.isJson ? encodeInJson : asItIs);
  }
  if (step.multipart === null) return null;
  const boundary = `benchside${user.id}x${user.iteration}`;
  headers['content-type'] = `multipart/form-data; boundary=${boundary}`;
  return multipart(step.multipart, boundary);
}

function multipart(parts, boundary) {
  const pieces = [];
  for (const part of parts) {
    const isFile = part.kind === 'bytes' || part.fileName !== null || part.contentType !== null;
    const file = isFile
      ? `; filename="${part.fileName === null ? part.name : part.fileName}"\r\nContent-Type: ${part.contentType || 'application/octet-stream'}`
      : '';
    pieces.push(utf8(`--${boundary}\r\nContent-Disposition: form-data; name="${part.name}"${file}\r\n\r\n`));
    pieces.push(part.kind === 'bytes' ? pseudoRandomBytes(part.bytes) : utf8(fill(part.text, asItIs)));
    pieces.push(utf8('\r\n'));
  }
  pieces.push(utf8(`--${boundary}--\r\n`));
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole.buffer;
}

function utf8(text) {
  const bytes = unescape(encodeURIComponent(wellFormed(text)));
  const result = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) result[i] = bytes.charCodeAt(i);
  return result;
}

const madeBytes = {};
function pseudoRandomBytes(length) {
  if (madeBytes[length] === undefined) {
    const before = state;
    const result = new Uint8Array(length);
    state = originOf(length);
    for (let at = 0; at < length; at += 4) {
      const value = nextUint32();
      for (let i = 0; i < 4 && at + i < length; i++) result[at + i] = (value >>> (8 * i)) & 255;
    }
    state = before;
    madeBytes[length] = result;
  }
  return madeBytes[length];
}

function fill({ literals, holes }, encode) {
  let text = literals[0];
  for (let i = 0; i < holes.length; i++) text += encode(valueOf(holes[i])) + literals[i + 1];
  return text;
}

function anyOf(values, draw) {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (draw < values[middle].upTo) high = middle;
    else low = middle + 1;
  }
  return values[low].value;
}

function valueOf(hole) {
  if (hole.kind === 'user') return String(user.id);
  if (hole.kind === 'unique') return user.unique;
  if (hole.kind === 'iteration') return String(user.iteration);
  if (hole.kind === 'random') return String(nextInteger(hole.min, hole.max));
  if (hole.kind === 'any') return anyOf(hole.values, nextFraction());
  const value = user.values[hole.name];
  return value === undefined ? '' : value;
}

/** Half of a surrogate pair, which cannot be encoded, is replaced. */
function wellFormed(text) {
  let result = '';
  for (const letter of text) result += /^[\ud800-\udfff]$/.test(letter) ? '\ufffd' : letter;
  return result;
}
const asItIs = (value) => value;
const encodeInPath = (value) => encodeURIComponent(wellFormed(value));
const encodeInJson = (value) => JSON.stringify(value).slice(1, -1);
const encodeInHeader = (value) => value.replace(/[^\t\x20-\x7e\x80-\xff]+/g, ' ');

function extract(step, response) {
  for (const { name, from } of step.extract) {
    const value = extracted(step, response, name, from);
    if (value === undefined || value === null || typeof value === 'object' || String(value).length > longestValue) return false;
    user.values[name] = String(value);
  }
  return true;
}

function extracted(step, response, name, from) {
  if (from.startsWith('header:')) {
    const wanted = from.slice(7).trim().toLowerCase();
    const key = Object.keys(response.headers).find((one) => one.toLowerCase() === wanted);
    return key === undefined ? undefined : response.headers[key];
  }
  const text = response.body === null ? '' : String(response.body);
  if (from.startsWith('regex:')) {
    const match = step.regexes[name].exec(text);
    return match === null ? undefined : match[1];
  }
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const key of from.split('/').slice(1)) {
    const own = key.replace(/~1/g, '/').replace(/~0/g, '~');
    if (typeof value !== 'object' || value === null || !Object.prototype.hasOwnProperty.call(value, own)) return undefined;
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(own)) return undefined;
    value = value[own];
  }
  return value;
}

// ---- what a page embeds

function fetchAssets(step, base, pagePath, response) {
  const authority = base.replace(/^https?:\/\//, '');
  const document = parseHTML(String(response.body));
  let at = pagePath;
  const foundBase = document.find('base[href]').first().attr('href');
  if (foundBase !== undefined) at = resolve(foundBase, at, authority) || at;
  const wanted = [];
  document.find('script[src], img[src], link[rel~="stylesheet"][href]').each((_index, element) => {
    const address = element.nodeName().toLowerCase() === 'link' ? element.getAttribute('href') : element.getAttribute('src');
    const path = typeof address !== 'string' || address.trim() === '' ? null : resolve(address.trim(), at, authority);
    if (path !== null && wanted.length < 500 && !wanted.includes(path)) wanted.push(path);
  });
  const asked = wanted.filter((path) => user.cached[path] !== true);
  if (asked.length === 0) return;
  const params = step.assetParams[isMeasured()];
  const answers = http.batch(asked.map((path) => ['GET', base + path, null, params]));
  answers.forEach((answer, index) => {
    const key = Object.keys(answer.headers || {}).find((one) => one.toLowerCase() === 'cache-control');
    const cacheable = key === undefined || !/(^|[\s,])(no-store|no-cache|max-age\s*=\s*"?0+"?)(?=[\s,]|$)/i.test(answer.headers[key]);
    if (answer.status >= 200 && answer.status < 400 && cacheable) user.cached[asked[index]] = true;
  });
}

/** The path on this service that an address means on the page at `pagePath`; null for what lies elsewhere. */
function resolve(address, pagePath, authority) {
  let path = address.split('#')[0];
  const [, scheme, host, rest] = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?\/\/([^/?]*)(.*)$/.exec(path) || [];
  if (host !== undefined) {
    if (host !== authority || (scheme !== undefined && !/^https?$/i.test(scheme))) return null;
    path = rest.startsWith('/') ? rest : `/${rest}`;
  } else if (/^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(path)) {
    return null;
  }
  const [plainPage] = pagePath.split('?');
  if (path === '' || path.startsWith('?')) return plainPage + path;
  const query = path.includes('?') ? path.slice(path.indexOf('?')) : '';
  const plain = query === '' ? path : path.slice(0, path.indexOf('?'));
  const parts = (plain.startsWith('/') ? plain : plainPage.slice(0, plainPage.lastIndexOf('/') + 1) + plain).split('/').slice(1);
  const kept = [];
  parts.forEach((part, index) => {
    const last = index === parts.length - 1;
    if (part === '..') kept.pop();
    if ((part === '.' || part === '..') && last) kept.push('');
    if (part !== '.' && part !== '..') kept.push(part);
  });
  return `/${kept.join('/')}${query}`;
}
