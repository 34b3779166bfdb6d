import { existsSync } from 'node:fs';
import path from 'node:path';

/** Modules that are built in where they are no files. */
const MODULES = ['mpm_prefork', 'authz_core', 'unixd', 'log_config', 'mime', 'alias', 'headers'];
/** `nobody`: as root Apache refuses to let its children be root. */
const UNPRIVILEGED = '#65534';

/** Apache's configuration; every path in it lies in `folder`. Keep-alive is as Apache has it by default: 100 requests a connection, idle for 5 s. */
export function apacheConfig({ apache, folder, port, workers, keepAlive, asRoot }) {
  const quoted = (file) => `"${file.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const inFolder = (name) => quoted(path.join(folder, name));
  const modules = MODULES.map((name) => [name, path.join(apache.modulesDir, `mod_${name}.so`)]).filter(([, file]) => existsSync(file));
  return `ServerRoot ${quoted(folder)}
ServerName localhost
Listen 127.0.0.1:${port}
ListenBacklog 4096
PidFile ${inFolder('run/httpd.pid')}
DefaultRuntimeDir ${inFolder('run')}
Mutex ${quoted(`file:${path.join(folder, 'run')}`)} default
${modules.map(([name, file]) => `LoadModule ${name}_module ${quoted(file)}`).join('\n')}
LoadModule php_module ${quoted(apache.phpModule)}
${asRoot ? `User ${UNPRIVILEGED}\nGroup ${UNPRIVILEGED}\n` : ''}ErrorLog ${inFolder('run/error.log')}
LogLevel error

ServerLimit ${workers}
MaxRequestWorkers ${workers}
StartServers ${workers}
MinSpareServers ${workers}
MaxSpareServers ${workers}
MaxConnectionsPerChild 0
KeepAlive ${keepAlive ? 'On' : 'Off'}
MaxKeepAliveRequests 100
KeepAliveTimeout 5
Timeout 60

ServerTokens Prod
ServerSignature Off
TraceEnable Off
FileETag None
AllowEncodedSlashes NoDecode
PHPIniDir ${inFolder('php')}

<Directory "/">
  AllowOverride None
  Options FollowSymLinks
  Require all denied
</Directory>
<Directory ${inFolder('app')}>
  Require all granted
</Directory>
<Location "/static/">
  Require all granted
  Header set Cache-Control no-store
  Header unset Last-Modified
  Header unset Accept-Ranges
</Location>
RedirectMatch 404 "^/static/(?!([A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+[.](css|jpg|js|svg)$)"
Alias "/static/" ${quoted(`${path.join(folder, 'static')}/`)}
# A path that begins with "/static/" names files, any other one is the app's.
AliasMatch "^/(?!static/)" ${inFolder('app/index.php')}
<FilesMatch "\\.php$">
  SetHandler application/x-httpd-php
</FilesMatch>
TypesConfig /dev/null
AddType image/jpeg .jpg
AddType image/svg+xml .svg
AddType "text/javascript; charset=utf-8" .js
AddType "text/css; charset=utf-8" .css
`;
}

/** PHP's configuration: scripts are compiled once, nothing is shown to clients, and a search may look through the whole text. */
export function phpConfig({ extensions }) {
  const loaded = extensions.map((name) => `${name === 'opcache' ? 'zend_extension' : 'extension'}=${name}`);
  return `${[
    ...loaded,
    'expose_php=Off',
    'display_errors=Off',
    'log_errors=On',
    'html_errors=Off',
    'default_charset=""',
    'memory_limit=128M',
    'max_execution_time=60',
    'enable_post_data_reading=Off',
    'opcache.enable=1',
    'opcache.validate_timestamps=0',
    'pcre.jit=1',
    'pcre.backtrack_limit=1000000000',
    'pgsql.allow_persistent=On',
  ].join('\n')}\n`;
}
