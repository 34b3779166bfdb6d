import type { Proxy } from '../../../model/domain/topology.ts';
import { type Reach, placeName } from '../../load/connection.ts';

/** What a configuration is written from. All paths in it are relative to the proxy's own folder (nginx's prefix), so that no name needs quoting. */
export interface NginxPlan {
  proxy: Proxy;
  port: number;
  upstreamPorts: readonly number[];
  upstreamReach: Reach;
  /** The link in the proxy's folder that leads to the static files; null when there are none. */
  staticLink: string | null;
  /** The log in the proxy's folder; null when no request is logged. */
  accessLog: string | null;
  /** Descriptors that each worker may open. */
  descriptors: number;
  /** A path that no app has, under which the proxy says which configuration is in effect. */
  markPath: string;
  generation: number;
  /** The user that runs the workers of a master that is root: never root. Null where it is not, and they are its own user. */
  workersAs: { user: string; group: string } | null;
}

export const certificateFiles = { certificate: 'certificate.pem', key: 'key.pem' };

/** What the kernel is asked to queue of connections that are not yet accepted; it takes no more than net.core.somaxconn. */
const backlog = 16_384;
/** Idle connections to the instances that each worker keeps. */
const keptConnections = 1_024;
/**
 * Longest time that an idle connection to an instance is kept: shorter than the 5 s after which Node closes its own, so that none is used while it is being
 * closed.
 */
const upstreamIdleS = 4;
const types: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'text/javascript': 'js mjs',
  'text/css': 'css',
  'image/svg+xml': 'svg',
  'image/jpeg': 'jpg jpeg',
  'image/png': 'png',
  'application/json': 'json',
};

/**
 * nginx's configuration. A request whose instance cannot be reached, or breaks off before it has answered, goes to the next one
 * (`proxy_next_upstream error timeout`; nginx never repeats one that may not be repeated, such as a POST that was sent).
 * Source of every directive: nginx.org, ngx_http_upstream_module, ngx_http_proxy_module, ngx_http_core_module.
 */
export function nginxConfig(plan: NginxPlan): string {
  const { proxy } = plan;
  return `${[
    ...(plan.workersAs === null ? [] : [`user ${plan.workersAs.user} ${plan.workersAs.group};`]),
    'daemon off;',
    'pid nginx.pid;',
    'error_log stderr error;',
    `worker_processes ${proxy.workers};`,
    `worker_rlimit_nofile ${plan.descriptors};`,
    // Old workers finish what they have begun, but do not outlive a change for ever.
    'worker_shutdown_timeout 10s;',
    'events {',
    // A few descriptors are for logs, listening sockets and the channel to the master.
    `  worker_connections ${plan.descriptors - 32};`,
    '  multi_accept on;',
    '}',
    'http {',
    ...indent(httpLines(plan)),
    '}',
  ].join('\n')}\n`;
}

function httpLines(plan: NginxPlan): string[] {
  const { proxy } = plan;
  return [
    'server_tokens off;',
    'types {',
    ...Object.entries(types).map(([type, endings]) => `  ${type} ${endings};`),
    '}',
    'default_type application/octet-stream;',
    'sendfile on;',
    'tcp_nopush on;',
    'keepalive_requests 100000000;',
    `keepalive_timeout ${proxy.clientKeepAlive ? '75s' : '0'};`,
    'client_max_body_size 64m;',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path temp/${name};`),
    ...logLines(plan.accessLog),
    'upstream instances {',
    ...indent(upstreamLines(plan)),
    '}',
    'server {',
    ...indent(serverLines(plan)),
    '}',
  ];
}

/**
 * A line of JSON for each request: its X-Request-Id (or one that nginx makes), `start` in s since 1970, `request_time` in s, what the instances that were tried
 * took in s ("0.001, 0.004"; empty when the proxy answered itself), the status, and the bytes of the whole answer. Times are whole ms.
 */
function logLines(accessLog: string | null): string[] {
  if (accessLog === null) return ['access_log off;'];
  return [
    "map $http_x_request_id $rid { default $http_x_request_id; '' $request_id; }",
    'log_format samples escape=json \'{"id":"$rid","start":$started,"request_time":$request_time,\'',
    '  \'"upstream_response_time":"$upstream_response_time","status":$status,"bytes":$bytes_sent}\';',
    `access_log ${accessLog} samples buffer=64k flush=250ms;`,
  ];
}

function upstreamLines({ proxy, upstreamPorts, upstreamReach }: NginxPlan): string[] {
  return [
    // Shared by all workers: turns, connections and failures are counted once and not by each of them.
    'zone instances 512k;',
    ...(proxy.balance === 'least-conn' ? ['least_conn;'] : []),
    ...upstreamPorts.map(
      (port) => `server ${upstreamPlace(upstreamReach, port)} max_fails=${proxy.maxFails} fail_timeout=${proxy.failTimeoutS}s;`,
    ),
    ...(proxy.upstreamKeepAlive
      ? [`keepalive ${keptConnections};`, 'keepalive_requests 100000000;', `keepalive_timeout ${upstreamIdleS}s;`]
      : []),
  ];
}

/** A path of a Unix socket may hold what would end the word. */
function upstreamPlace(reach: Reach, port: number): string {
  const place = placeName(reach, port);
  return reach.socketPath === undefined ? place : `"unix:${place.replace(/["\\]/g, '\\$&')}"`;
}

function serverLines(plan: NginxPlan): string[] {
  const { proxy } = plan;
  const tls = proxy.tls
    ? [
        `ssl_certificate ${certificateFiles.certificate};`,
        `ssl_certificate_key ${certificateFiles.key};`,
        'ssl_protocols TLSv1.2 TLSv1.3;',
        'ssl_session_cache shared:tls:4m;',
      ]
    : [];
  const files =
    plan.staticLink === null
      ? []
      : [
          'location /static/ {',
          `  alias ${plan.staticLink}/;`,
          // A user who may write into the folder shall not make the proxy read another one.
          '  disable_symlinks on from=$document_root;',
          '  charset utf-8;',
          '  charset_types text/css text/javascript;',
          "  add_header Cache-Control 'no-store';",
          '}',
        ];
  return [
    `listen 127.0.0.1:${plan.port}${proxy.tls ? ' ssl' : ''} backlog=${backlog};`,
    ...tls,
    // $msec is now; it is kept here since a log line is written when a request is over.
    ...(plan.accessLog === null ? [] : ['set $started $msec;']),
    `location = ${plan.markPath} {`,
    '  access_log off;',
    '  keepalive_timeout 0;',
    `  return 200 "${plan.generation}";`,
    '}',
    ...files,
    'location / {',
    // No certificate is checked: those of instances are their own.
    `  proxy_pass ${plan.upstreamReach.tls ? 'https' : 'http'}://instances;`,
    '  proxy_http_version 1.1;',
    `  proxy_set_header Connection ${proxy.upstreamKeepAlive ? '""' : 'close'};`,
    '  proxy_set_header Host $http_host;',
    ...(plan.accessLog === null ? [] : ['  proxy_set_header X-Request-Id $rid;']),
    '  proxy_next_upstream error timeout;',
    '  proxy_connect_timeout 5s;',
    '  proxy_read_timeout 120s;',
    '  proxy_buffers 16 16k;',
    // What a slow client has not read yet waits in memory or in the instance, never on the disk.
    '  proxy_max_temp_file_size 0;',
    '}',
  ];
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
