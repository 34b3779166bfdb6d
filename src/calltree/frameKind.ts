import { type CodeTier, type FrameKind, frameKinds } from '../model/domain/callTree.ts';

const codes = new Map<FrameKind, number>(frameKinds.map((kind, index) => [kind, index]));

/** The byte for a kind in the function table. */
export function kindCode(kind: FrameKind): number {
  return codes.get(kind) ?? frameKinds.length - 1;
}

const special = new Map<string, FrameKind>([
  ['(idle)', 'idle'],
  ['(garbage collector)', 'gc'],
  ['(program)', 'native'],
  ['[pool wait]', 'waiting'],
  ['[query]', 'waiting'],
  ['[new connection]', 'waiting'],
]);
/** What Benchside itself puts into an app that is recorded: the hooks that time its waits, and its probe. */
const benchsideFile = /^benchside-waits$|(?:^|[/\\])nodeProbe\.cjs$/;

/** Whether a file is one that Benchside puts into an app. */
export function isProbeFile(file: string): boolean {
  return benchsideFile.test(file);
}

const waiting =
  /(?:^|[./])(?:Unsafe\.park|LockSupport\.park(?:Nanos|Until)?|Object\.wait0?|Thread\.sleep0?|VirtualThread\.park(?:Nanos)?)$/;
const nativeCollector =
  /^(?:G1|Z(?:Collected|Driver|Mark|Relocate|Generation|Heap)|Shenandoah|GCTask|Parallel(?:Scavenge|Compact)|PS[A-Z]|DefNew|Serial|SafepointGC)/;
const nativeCompiler = /^(?:Compile(?:Broker|r|)::|C2Compiler|Compilation::|Phase[A-Z]|LinearScan|GraphBuilder|LIR_|JVMCI)/;
const javaName = /^[\p{L}\p{N}_$]+(?:[./][\p{L}\p{N}_$<>]+)+/u;
const javaRuntime = /^(?:java|javax|jdk|sun|kotlin|kotlinx|scala|groovy)[./]|^com[./]sun[./]/;
const javaDependency =
  /^(?:org[./](?:springframework|apache|postgresql|hibernate|eclipse|slf4j|jboss|glassfish|aspectj|jooq|jdbi|mybatis|jetbrains[./]exposed|flywaydb|http4s|http4k)|com[./](?:zaxxer|fasterxml|google|mysql|mchange|linecorp[./]armeria)|benchside[./]probe|io[./](?:netty|micrometer|vertx|undertow|r2dbc|projectreactor|micronaut|quarkus|smallrye|agroal|helidon|ktor|javalin|jooby|dropwizard|reactivex|reactiverse)|ch[./]qos|reactor|jakarta|okhttp3|net[./]bytebuddy)[./]/;

/** The kind of a frame of Java code, by its package. A class without a package is treated as the app's own. */
export function classifyJava(name: string): FrameKind {
  if (waiting.test(name)) return 'waiting';
  if (javaRuntime.test(name)) return 'runtime';
  return javaDependency.test(name) ? 'dependency' : 'app';
}

/** The kind of a frame, where its name and file determine it. Only the start of a very long name is examined. */
export function classifyFrame(name: string, file: string): FrameKind {
  const head = name.length > 1024 ? name.slice(0, 1024) : name;
  const known = special.get(head);
  if (known !== undefined) return known;
  if (file !== '') {
    if (isProbeFile(file)) return 'dependency';
    if (file.startsWith('node:') || file.startsWith('internal/')) return 'runtime';
    if (/[/\\]node_modules[/\\]/.test(file)) return 'dependency';
    // V8 names a module of WebAssembly by its contents: where it was loaded from is not known.
    if (file.startsWith('native ') || file.startsWith('wasm:') || /\.(?:so|dylib|dll)(?:\.|$)/.test(file)) return 'native';
    if (/\.(?:[cm]?[jt]sx?|vue|svelte)(?:[?#]|$)/.test(file)) return 'app';
  }
  if (head.includes('::')) return nativeCollector.test(head) ? 'gc' : nativeCompiler.test(head) ? 'jit' : 'native';
  if (javaName.test(head)) return classifyJava(head);
  return file === '' ? 'other' : 'app';
}

const suffixPattern = /[^]_\[[01ijk]\]$/;

const tierOfSuffix: ReadonlyMap<string, CodeTier> = new Map<string, CodeTier>([
  ['0', 'interpreted'],
  ['1', 'baseline'],
  ['j', 'optimised'],
  ['i', 'inlined'],
]);

/** Takes apart a frame of async-profiler: `_[k]` marks the kernel, `_[0]` `_[1]` `_[i]` `_[j]` Java code by how it was compiled. */
export function readSuffix(frame: string): { name: string; kind: FrameKind; tier: CodeTier } {
  if (!suffixPattern.test(frame)) return { name: frame, kind: classifyFrame(frame, ''), tier: 'unknown' };
  const name = frame.slice(0, -4);
  const tier = tierOfSuffix.get(frame.charAt(frame.length - 2));
  return tier === undefined ? { name, kind: 'kernel', tier: 'unknown' } : { name, kind: classifyJava(name), tier };
}

const suffixes: Record<CodeTier, string> = { unknown: '', interpreted: '_[0]', baseline: '_[1]', optimised: '_[j]', inlined: '_[i]' };

/**
 * The reverse of {@link readSuffix}: the form of a frame that is read as the same name and, where one says it, the same kind. The tier is written
 * only where it does not change the kind.
 */
export function withSuffix(name: string, kind: FrameKind, tier: CodeTier = 'unknown'): string {
  if (kind === 'kernel') return `${name}_[k]`;
  if (tier !== 'unknown' && classifyJava(name) === kind) return `${name}${suffixes[tier]}`;
  if (!suffixPattern.test(name) && classifyFrame(name, '') === kind) return name;
  return classifyJava(name) === kind || suffixPattern.test(name) ? `${name}_[j]` : name;
}
