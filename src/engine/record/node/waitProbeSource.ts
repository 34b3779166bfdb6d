/**
 * Script for the recorded process, an expression that gives a probe. It wraps `connect`, `query` and `_pulseQueue` of the prototype of
 * `pg`'s pool and `query` of its clients, in a pool of pg or not, and adds up, by the stack that asked, how long was waited for a client and for the database.
 *
 * - A wait for the pool counts only while the pool had no idle client: each pool has a clock that is stopped while it has one.
 * - Stacks cost more than anything else here (10 to 30 µs). All are recorded up to a rate; above it a random part, whose weight is scaled such that
 *   the sums are the exact ones.
 * - Nothing an app can see changes: callbacks get the same arguments, promises are of the same class and fail unhandled when they did.
 *
 * Plain JavaScript in a string, since a compiled function would call helpers that are not there.
 */
export const waitProbeSource = String.raw`(function (options) {
  'use strict';
  // The console's own functions can be had only while this is evaluated.
  const load = require;
  const now = performance.now.bind(performance);
  const own = (object, name) => Object.prototype.hasOwnProperty.call(object, name);
  const ownScript = options.scriptName;
  const slotMs = 100;
  const wrapped = [];
  const poolStates = new WeakMap();
  const clientClasses = new WeakSet();
  const openWaits = new Set();
  const openQueries = new Set();
  const totals = { pool: 0, opening: 0, query: 0, asks: 0, queries: 0, waits: 0, pools: 0, stacks: 0, streams: 0, cut: 0 };
  const sampled = { pool: 0, opening: 0, query: 0 };
  const frames = [];
  const frameIds = new Map();
  const nodes = [];
  const root = newNode(-1, -1, null);
  const hadPrepare = own(Error, 'prepareStackTrace');
  let active = false;
  let undone = false;
  let share = 1;
  let slotStart = 0;
  let slotStacks = 0;
  let poolQuery = false;
  let asker = null;

  function newNode(parent, frame, script) {
    const node = { id: nodes.length, parent, frame, script, children: null, pool: 0, opening: 0, query: 0 };
    nodes.push(node);
    return node;
  }

  // ---- stacks
  function givenSites(error, sites) { return sites; }
  function capture(above) {
    const limit = Error.stackTraceLimit;
    const prepare = Error.prepareStackTrace;
    let sites = null;
    try {
      const holder = {};
      Error.stackTraceLimit = options.frames;
      Error.prepareStackTrace = givenSites;
      Error.captureStackTrace(holder, above);
      sites = holder.stack;
    } catch { /* frozen intrinsics: counted without a stack */ }
    try {
      Error.prepareStackTrace = prepare;
      Error.stackTraceLimit = limit;
    } catch { /* as above */ }
    return Array.isArray(sites) ? place(sites) : root;
  }
  /** The node of a stack. What Node itself does before the app's first function tells nothing and is left out. */
  function place(sites) {
    let first = sites.length - 1;
    for (; first >= 0; first -= 1) {
      const script = sites[first].getScriptNameOrSourceURL();
      if (script && !script.startsWith('node:')) break;
    }
    if (first < 0) first = sites.length - 1;
    let node = root;
    for (let at = first; at >= 0; at -= 1) {
      const site = sites[at];
      const script = site.getScriptNameOrSourceURL() || '';
      if (script === ownScript) continue;
      const position = site.getPosition();
      if (node.children === null) node.children = new Map();
      let child = node.children.get(position);
      if (child === undefined || child.script !== script) {
        const key = child === undefined ? position : position + ':' + script;
        child = child === undefined ? undefined : node.children.get(key);
        if (child === undefined) {
          if (nodes.length >= options.maxNodes) { totals.cut += 1; return node; }
          child = newNode(node.id, frameOf(site, script, position), script);
          node.children.set(key, child);
        }
      }
      node = child;
    }
    return node;
  }
  function frameOf(site, script, position) {
    const key = position + ':' + script;
    const known = frameIds.get(key);
    if (known !== undefined) return known;
    frameIds.set(key, frames.length);
    const name = String(site.getFunctionName() || '').slice(0, 1000);
    frames.push([name, script.slice(0, 4096), site.getLineNumber() || 0, site.getColumnNumber() || 0,
      (site.getEnclosingLineNumber && site.getEnclosingLineNumber()) || 0, (site.getEnclosingColumnNumber && site.getEnclosingColumnNumber()) || 0]);
    return frames.length - 1;
  }
  /** A stack for this event, with what it stands for; null where it is not chosen. */
  function sample(above, time) {
    if (time - slotStart >= slotMs) {
      if (slotStacks * 2 < options.stacksPerSlot && share < 1) share = Math.min(1, share * 2);
      slotStart = time;
      slotStacks = 0;
    } else if (slotStacks >= options.stacksPerSlot) {
      share /= 2;
      slotStacks = 0;
    }
    if (share < 1 && Math.random() >= share) return null;
    slotStacks += 1;
    totals.stacks += 1;
    return { node: capture(above), weight: 1 / share };
  }
  function addUp(kind, stack, ms) {
    totals[kind] += ms;
    if (stack === null) return;
    stack.node[kind] += ms * stack.weight;
    sampled[kind] += ms * stack.weight;
  }

  // ---- pools
  function stateOf(pool, time) {
    let state = poolStates.get(pool);
    if (state === undefined) {
      state = { busyMs: 0, since: time, idle: pool.idleCount > 0 };
      poolStates.set(pool, state);
      totals.pools += 1;
      wrapClient(pool.Client);
    }
    return state;
  }
  function look(pool, state, time) {
    const idle = pool.idleCount > 0;
    if (idle === state.idle) return;
    if (idle) state.busyMs += time - state.since;
    else state.since = time;
    state.idle = idle;
  }
  function busyMs(state, time) { return state.idle ? state.busyMs : state.busyMs + (time - state.since); }
  function ask(pool, above, throughQuery) {
    const time = now();
    const state = stateOf(pool, time);
    look(pool, state, time);
    totals.asks += 1;
    const opening = !state.idle && pool.totalCount < pool.options.max;
    const wait = { state, from: busyMs(state, time), opening, stack: sample(above, time), throughQuery };
    openWaits.add(wait);
    return wait;
  }
  function given(wait) {
    if (!openWaits.delete(wait) || !active) return;
    countWait(wait, now());
  }
  function countWait(wait, time) {
    const ms = busyMs(wait.state, time) - wait.from;
    if (ms <= 0) return;
    totals.waits += 1;
    addUp(wait.opening ? 'opening' : 'pool', wait.stack, ms);
  }
  function answered(query) {
    if (!openQueries.delete(query) || !active) return;
    addUp('query', query.stack, now() - query.from);
  }

  function wrapPool(prototype) {
    const owner = ownerOf(prototype, '_pulseQueue');
    if (owner === null || wrapped.some((one) => one.owner === owner)) return;
    wrap(owner, '_pulseQueue', (original) => function () {
      const result = original.apply(this, arguments);
      if (active) {
        const state = poolStates.get(this);
        if (state !== undefined && this.idleCount > 0 !== state.idle) look(this, state, now());
      }
      return result;
    });
    wrap(ownerOf(owner, 'query'), 'query', (original) => function () {
      const before = poolQuery;
      poolQuery = true;
      try { return original.apply(this, arguments); } finally { poolQuery = before; }
    });
    wrap(ownerOf(owner, 'connect'), 'connect', (original) => function connect(callback) {
      const throughQuery = poolQuery;
      poolQuery = false;
      if (!active || (callback !== undefined && typeof callback !== 'function')) return original.apply(this, arguments);
      let wait;
      try { wait = ask(this, connect, throughQuery); } catch { return original.apply(this, arguments); }
      if (callback !== undefined) {
        return original.call(this, function () {
          given(wait);
          if (!wait.throughQuery || arguments[0]) return callback.apply(this, arguments);
          const before = asker;
          asker = wait;
          try { return callback.apply(this, arguments); } finally { asker = before; }
        });
      }
      const { promise, resolve, reject } = pending(this.Promise);
      original.call(this, (error, client) => {
        given(wait);
        if (error) reject(error);
        else resolve(client);
      });
      return promise;
    });
  }
  function wrapClient(Client) {
    if (typeof Client !== 'function' || clientClasses.has(Client)) return;
    clientClasses.add(Client);
    const owner = ownerOf(Client.prototype, 'query');
    if (owner === null || wrapped.some((one) => one.owner === owner)) return;
    wrap(owner, 'query', (original) => function query(config, values, callback) {
      const stackOf = asker;
      asker = null;
      if (!active || config === null || config === undefined) return original.apply(this, arguments);
      const at = typeof values === 'function' ? 1 : typeof callback === 'function' ? 2 : 0;
      if (typeof config.submit === 'function') { totals.streams += 1; return original.apply(this, arguments); }
      if (at === 0 && (config.callback || callback !== undefined)) return original.apply(this, arguments);
      const time = now();
      const open = { from: time, stack: stackOf === null ? sample(query, time) : stackOf.stack };
      openQueries.add(open);
      totals.queries += 1;
      try {
        if (at === 0) {
          const { promise, resolve, reject } = pending(this._Promise);
          original.call(this, config, values, (error, result) => {
            answered(open);
            if (error) reject(error);
            else resolve(result);
          });
          return promise;
        }
        const passed = [...arguments];
        const answer = passed[at];
        passed[at] = function () {
          answered(open);
          return answer.apply(this, arguments);
        };
        return original.apply(this, passed);
      } catch (error) {
        openQueries.delete(open);
        throw error;
      }
    });
  }
  function pending(Class) {
    const Chosen = typeof Class === 'function' ? Class : Promise;
    const out = {};
    out.promise = new Chosen((resolve, reject) => {
      out.resolve = resolve;
      out.reject = reject;
    });
    return out;
  }
  function ownerOf(prototype, name) {
    for (let at = prototype; at !== null && at !== undefined; at = Object.getPrototypeOf(at)) if (own(at, name)) return at;
    return null;
  }
  function wrap(owner, name, make) {
    const descriptor = owner && Object.getOwnPropertyDescriptor(owner, name);
    if (!descriptor || !descriptor.configurable || typeof descriptor.value !== 'function') return;
    const wrapper = make(descriptor.value);
    Object.defineProperty(owner, name, { ...descriptor, value: wrapper });
    wrapped.push({ owner, name, descriptor, wrapper });
  }
  /** Sequelize, knex and others keep pools of their own, of clients of pg. */
  function wrapAny(prototype) {
    if (!prototype) return;
    if (typeof prototype._pulseQueue === 'function') wrapPool(prototype);
    else if (typeof prototype._pulseQueryQueue === 'function') wrapClient(prototype.constructor);
  }
  function count() { return new Set(wrapped.map((one) => one.owner)).size; }

  const probe = {
    /** Looks through the loaded CommonJS modules (pg is one, also where the app imports it). Gives how many kinds of pool and client are known. */
    findInModules() {
      for (const { exports } of Object.values(load('module')._cache)) {
        try {
          if (typeof exports === 'function') wrapAny(exports.prototype);
        } catch { /* a module that cannot be looked at */ }
      }
      return count();
    },
    /** Looks through all event emitters, of which pools and clients are some: finds those of a bundle. */
    findInObjects(emitters) {
      for (const emitter of emitters) {
        try {
          if (typeof emitter._pulseQueue === 'function') wrapPool(ownerOf(emitter, '_pulseQueue'));
          else if (typeof emitter._pulseQueryQueue === 'function') wrapAny(ownerOf(emitter, '_pulseQueryQueue'));
        } catch { /* an object that cannot be looked at */ }
      }
      return count();
    },
    begin() {
      active = true;
      slotStart = now();
    },
    /** Ends the measurement, with what is still waited for as far as it got, and takes the wrappers away. */
    end() {
      if (active) {
        const time = now();
        for (const wait of openWaits) countWait(wait, time);
        for (const query of openQueries) addUp('query', query.stack, time - query.from);
      }
      probe.undo();
      return JSON.stringify({ totals, sampled, frames, nodes: nodes.map(({ parent, frame, pool, opening, query }) => [parent, frame, pool, opening, query]) });
    },
    undo() {
      if (undone) return;
      undone = true;
      active = false;
      openWaits.clear();
      openQueries.clear();
      for (const { owner, name, descriptor, wrapper } of wrapped.reverse()) {
        // Somebody may have wrapped it once more: then ours stays beneath and does nothing.
        if (owner[name] === wrapper) Object.defineProperty(owner, name, descriptor);
      }
      if (!hadPrepare && own(Error, 'prepareStackTrace') && Error.prepareStackTrace === undefined) delete Error.prepareStackTrace;
    },
  };
  return probe;
})`;
