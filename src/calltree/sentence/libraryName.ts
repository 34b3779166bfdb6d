import { frameKinds } from '../../model/domain/callTree.ts';

/** What is known of functions, by number: as recorded, with the kind as an index into `frameKinds`. */
export interface NamedFunctions {
  readonly name: readonly string[];
  readonly file: readonly string[];
  readonly kind: Uint8Array;
  /** What the library is called that it was loaded from, '' where that is not known. */
  readonly library?: readonly string[];
}

/** The usual names of packages; the first that fits counts. */
const packages: readonly (readonly [prefix: string, name: string])[] = [
  ['org.eclipse.jetty.', 'Jetty'],
  ['com.zaxxer.hikari.', 'HikariCP'],
  ['org.postgresql.', 'the PostgreSQL driver'],
  ['com.mysql.', 'the MySQL driver'],
  ['org.mariadb.', 'the MariaDB driver'],
  ['org.apache.commons.dbcp', 'DBCP'],
  ['org.apache.commons.pool', 'Commons Pool'],
  ['org.apache.tomcat.', 'Tomcat'],
  ['org.apache.catalina.', 'Tomcat'],
  ['org.apache.coyote.', 'Tomcat'],
  ['org.apache.hc.', 'Apache HttpClient'],
  ['org.apache.http.', 'Apache HttpClient'],
  ['org.springframework.', 'Spring'],
  ['org.hibernate.', 'Hibernate'],
  ['org.jboss.', 'JBoss'],
  ['org.glassfish.', 'GlassFish'],
  ['com.fasterxml.jackson.', 'Jackson'],
  ['com.google.gson.', 'Gson'],
  ['com.google.protobuf.', 'Protobuf'],
  ['com.google.common.', 'Guava'],
  ['io.netty.', 'Netty'],
  ['io.vertx.', 'Vert.x'],
  ['io.undertow.', 'Undertow'],
  ['io.micrometer.', 'Micrometer'],
  ['io.r2dbc.', 'R2DBC'],
  ['io.projectreactor.', 'Reactor'],
  ['reactor.', 'Reactor'],
  ['ch.qos.', 'Logback'],
  ['org.slf4j.', 'SLF4J'],
  ['okhttp3.', 'OkHttp'],
  ['jakarta.', 'Jakarta EE'],
  ['kotlin.', 'Kotlin'],
  ['kotlinx.', 'Kotlin'],
  ['scala.', 'Scala'],
  ['groovy.', 'Groovy'],
];
const longest = 1024;
const libc =
  /^(?:_{1,3}(?!_)\w|clone3?$|start_thread$|pthread_|p?select$|p?poll$|epoll_|recv|send|readv?$|writev?$|accept|mem(?:cpy|set|move)|malloc|free$)/;

/**
 * What a person calls the library that a function is of: "Jetty", "the JDK", "pg" (a package of node_modules), "native code". The name and the file
 * are as recorded.
 */
export function libraryName({ name, file, kind, library }: NamedFunctions, func: number): string {
  const told = library?.[func] ?? '';
  if (told !== '') return told;
  const path = (file[func] ?? '').slice(0, longest).replaceAll('\\', '/');
  const own = (name[func] ?? '').slice(0, longest).replaceAll('/', '.');
  const module = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(`/${path}`)?.[1];
  if (module !== undefined) return module;
  if (/(?:^|\/)(?:benchside-waits|nodeProbe\.cjs)$/.test(path)) return 'Benchside’s probe';
  if (path.startsWith('node:') || path.startsWith('internal/')) return 'Node';
  if (path.startsWith('wasm:')) return 'WebAssembly';
  if (path === '' && own.startsWith('(threads ')) return own.slice(1, -1);
  const known = packages.find(([prefix]) => own.startsWith(prefix));
  if (known !== undefined) return known[1];
  switch (frameKinds[kind[func] ?? 0]) {
    case 'kernel':
      return 'the kernel';
    case 'gc':
      return 'the garbage collector';
    case 'jit':
      return 'the JIT compiler';
    case 'dependency':
      return own.split('.').slice(0, 3).join('.') || 'a library';
    case 'runtime':
    case 'waiting':
      return /^(?:java|javax|jdk|sun|com\.sun)\./.test(own) ? 'the JDK' : 'the runtime';
    default:
      return libc.test(own) ? 'libc' : 'native code';
  }
}
