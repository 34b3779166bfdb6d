import type { FieldService } from '../fieldService.ts';
import { jsonText, nodePackage, nodeWithPostgres, npmInstall, npmInstallAndBuild, typescriptCompiler } from './nodePackage.ts';

/** Backends that bring their own data layer, migrations and command line. */
export const nodeBackendServices: readonly FieldService[] = [
  {
    ...nodeWithPostgres,
    name: 'adonis-lucid',
    // The documentation puts .env into the folder of the compiled app.
    build: [...npmInstall, ['node', 'ace', 'build'], ['cp', '.env', 'build/.env']],
    files: {
      'package.json': nodePackage(
        'adonis-blog',
        { '@adonisjs/core': '6.21.0', '@adonisjs/lucid': '21.8.2', luxon: '3.7.2', pg: '8.23.1', 'reflect-metadata': '0.2.2' },
        {
          type: 'module',
          imports: {
            '#controllers/*': './app/controllers/*.js',
            '#exceptions/*': './app/exceptions/*.js',
            '#models/*': './app/models/*.js',
            '#config/*': './config/*.js',
            '#start/*': './start/*.js',
          },
          scripts: {
            build: 'node ace build',
            dev: 'node ace serve --hmr',
            start: 'cd build && node ace migration:run --force && node ace db:seed && node bin/server.js',
          },
          devDependencies: {
            '@adonisjs/assembler': '7.8.2',
            '@adonisjs/tsconfig': '1.4.1',
            '@swc/core': '1.10.18',
            '@types/luxon': '3.7.6',
            'hot-hook': '0.4.0',
            'pino-pretty': '13.2.0',
            'ts-node-maintained': '10.9.6',
            ...typescriptCompiler,
            typescript: '5.8.3',
          },
        },
      ),
      '.env': `TZ=UTC
PORT=3333
HOST=localhost
LOG_LEVEL=info
APP_KEY=VkZ3bJx0q2lY8nRt5sWc1dHfGm4pAe7u
NODE_ENV=development
DB_HOST=127.0.0.1
DB_PORT=5432
DB_USER=root
DB_PASSWORD=root
DB_DATABASE=app
`,
      'tsconfig.json': jsonText({
        extends: '@adonisjs/tsconfig/tsconfig.app.json',
        compilerOptions: { rootDir: './', outDir: './build' },
      }),
      'adonisrc.ts': `
import { defineConfig } from '@adonisjs/core/app'

export default defineConfig({
  commands: [() => import('@adonisjs/core/commands'), () => import('@adonisjs/lucid/commands')],
  providers: [() => import('@adonisjs/core/providers/app_provider'), () => import('@adonisjs/lucid/database_provider')],
  preloads: [() => import('#start/routes'), () => import('#start/kernel')],
})
`,
      'ace.js': `
import 'ts-node-maintained/register/esm'
await import('./bin/console.js')
`,
      'bin/console.ts': `
import 'reflect-metadata'
import { Ignitor, prettyPrintError } from '@adonisjs/core'

const APP_ROOT = new URL('../', import.meta.url)
const IMPORTER = (filePath: string) => {
  if (filePath.startsWith('./') || filePath.startsWith('../')) return import(new URL(filePath, APP_ROOT).href)
  return import(filePath)
}

new Ignitor(APP_ROOT, { importer: IMPORTER })
  .tap((app) => {
    app.booting(async () => {
      await import('#start/env')
    })
  })
  .ace()
  .handle(process.argv.splice(2))
  .catch((error) => {
    process.exitCode = 1
    prettyPrintError(error)
  })
`,
      'bin/server.ts': `
import 'reflect-metadata'
import { Ignitor, prettyPrintError } from '@adonisjs/core'

const APP_ROOT = new URL('../', import.meta.url)
const IMPORTER = (filePath: string) => {
  if (filePath.startsWith('./') || filePath.startsWith('../')) return import(new URL(filePath, APP_ROOT).href)
  return import(filePath)
}

new Ignitor(APP_ROOT, { importer: IMPORTER })
  .tap((app) => {
    app.booting(async () => {
      await import('#start/env')
    })
    app.listen('SIGTERM', () => app.terminate())
    app.listenIf(app.managedByPm2, 'SIGINT', () => app.terminate())
  })
  .httpServer()
  .start()
  .catch((error) => {
    process.exitCode = 1
    prettyPrintError(error)
  })
`,
      'start/env.ts': `
import { Env } from '@adonisjs/core/env'

export default await Env.create(new URL('../', import.meta.url), {
  NODE_ENV: Env.schema.enum(['development', 'production', 'test'] as const),
  PORT: Env.schema.number(),
  APP_KEY: Env.schema.string(),
  HOST: Env.schema.string({ format: 'host' }),
  LOG_LEVEL: Env.schema.string(),
  DB_HOST: Env.schema.string({ format: 'host' }),
  DB_PORT: Env.schema.number(),
  DB_USER: Env.schema.string(),
  DB_PASSWORD: Env.schema.string.optional(),
  DB_DATABASE: Env.schema.string(),
})
`,
      'start/kernel.ts': `
import router from '@adonisjs/core/services/router'
import server from '@adonisjs/core/services/server'

server.errorHandler(() => import('#exceptions/handler'))
router.use([() => import('@adonisjs/core/bodyparser_middleware')])
`,
      'start/routes.ts': `
import router from '@adonisjs/core/services/router'

const PostsController = () => import('#controllers/posts_controller')
router.get('/', async () => ({ hello: 'world' }))
router.group(() => router.resource('posts', PostsController).apiOnly()).prefix('/api')
`,
      'config/app.ts': `
import env from '#start/env'
import { Secret } from '@adonisjs/core/helpers'
import { defineConfig } from '@adonisjs/core/http'

export const appKey = new Secret(env.get('APP_KEY'))
export const http = defineConfig({ generateRequestId: true, allowMethodSpoofing: false })
`,
      'config/bodyparser.ts': `
import { defineConfig } from '@adonisjs/core/bodyparser'

export default defineConfig({ allowedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] })
`,
      'config/logger.ts': `
import env from '#start/env'
import { defineConfig } from '@adonisjs/core/logger'

export default defineConfig({ default: 'app', loggers: { app: { enabled: true, name: 'app', level: env.get('LOG_LEVEL') } } })
`,
      'config/database.ts': `
import env from '#start/env'
import { defineConfig } from '@adonisjs/lucid'

export default defineConfig({
  connection: 'postgres',
  connections: {
    postgres: {
      client: 'pg',
      connection: {
        host: env.get('DB_HOST'),
        port: env.get('DB_PORT'),
        user: env.get('DB_USER'),
        password: env.get('DB_PASSWORD'),
        database: env.get('DB_DATABASE'),
      },
      migrations: { naturalSort: true, paths: ['database/migrations'] },
    },
  },
})
`,
      'app/exceptions/handler.ts': `
import { ExceptionHandler } from '@adonisjs/core/http'
import app from '@adonisjs/core/services/app'

export default class HttpExceptionHandler extends ExceptionHandler {
  protected debug = !app.inProduction
}
`,
      'app/models/post.ts': `
import { BaseModel, column } from '@adonisjs/lucid/orm'

export default class Post extends BaseModel {
  @column({ isPrimary: true })
  declare id: number

  @column()
  declare title: string
}
`,
      'app/controllers/posts_controller.ts': `
import Post from '#models/post'
import type { HttpContext } from '@adonisjs/core/http'

export default class PostsController {
  async index({ request }: HttpContext) {
    return Post.query().orderBy('id').paginate(request.input('page', 1), 10)
  }
  async show({ params }: HttpContext) {
    return Post.findOrFail(params.id)
  }
  async store({ request, response }: HttpContext) {
    return response.created(await Post.create(request.only(['title'])))
  }
  async update({ params, request }: HttpContext) {
    const post = await Post.findOrFail(params.id)
    return post.merge(request.only(['title'])).save()
  }
  async destroy({ params, response }: HttpContext) {
    await (await Post.findOrFail(params.id)).delete()
    return response.noContent()
  }
}
`,
      'database/migrations/1735689600000_create_posts_table.ts': `
import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  protected tableName = 'posts'
  async up() {
    this.schema.createTable(this.tableName, (table) => {
      table.increments('id')
      table.string('title').notNullable()
    })
  }
  async down() {
    this.schema.dropTable(this.tableName)
  }
}
`,
      'database/seeders/post_seeder.ts': `
import Post from '#models/post'
import { BaseSeeder } from '@adonisjs/lucid/seeders'

export default class extends BaseSeeder {
  async run() {
    await Post.createMany(Array.from({ length: 20 }, (_, n) => ({ title: 'Post ' + n })))
  }
}
`,
    },
    command: ['npm', 'start'],
    env: { DB_HOST: '{host}', DB_PORT: '{port}', DB_USER: '{user}', DB_PASSWORD: '{password}', DB_DATABASE: '{name}' },
    routes: ['/', '/api/posts', '/api/posts/2'],
  },
  {
    ...nodeWithPostgres,
    name: 'platformatic-db',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'movies',
        { platformatic: '1.53.4', '@platformatic/db': '1.53.4' },
        { scripts: { start: 'platformatic start', migrate: 'platformatic db migrations apply' } },
      ),
      '.env': `PLT_SERVER_HOSTNAME=127.0.0.1
PORT=3042
PLT_SERVER_LOGGER_LEVEL=info
PLT_APPLY_MIGRATIONS=true
`,
      'platformatic.json': jsonText({
        $schema: 'https://platformatic.dev/schemas/v1.53.4/db',
        server: { hostname: '{PLT_SERVER_HOSTNAME}', port: '{PORT}', logger: { level: '{PLT_SERVER_LOGGER_LEVEL}' } },
        db: { connectionString: '{DATABASE_URL}', graphql: true, openapi: true, schemalock: false },
        migrations: { dir: 'migrations', autoApply: '{PLT_APPLY_MIGRATIONS}' },
      }),
      'migrations/001.do.sql': `CREATE TABLE movies (id SERIAL PRIMARY KEY, title VARCHAR(255) NOT NULL);
INSERT INTO movies (title) SELECT 'Movie ' || n FROM generate_series(1, 40) n;
`,
      'migrations/001.undo.sql': 'DROP TABLE movies;\n',
    },
    command: ['npm', 'start'],
    pool: { setBy: 'db.poolSize in platformatic.json' },
    routes: ['/', '/movies/', '/movies/2', '/documentation/json'],
  },
  {
    ...nodeWithPostgres,
    name: 'strapi',
    build: npmInstallAndBuild,
    files: {
      'package.json': nodePackage(
        'strapi-blog',
        {
          '@strapi/strapi': '5.54.0',
          '@strapi/plugin-users-permissions': '5.54.0',
          pg: '8.23.1',
          react: '18.3.1',
          'react-dom': '18.3.1',
          'react-router-dom': '6.30.6',
          'styled-components': '6.6.0',
        },
        {
          scripts: {
            build: 'STRAPI_TELEMETRY_DISABLED=true strapi build',
            develop: 'strapi develop',
            start: 'strapi start',
            strapi: 'strapi',
          },
          engines: { node: '>=20.0.0 <=26.x.x', npm: '>=6.0.0' },
          strapi: { uuid: false },
        },
      ),
      '.env': `HOST=0.0.0.0
PORT=1337
APP_KEYS=a2V5MQ==,a2V5Mg==
API_TOKEN_SALT=c2FsdA==
ADMIN_JWT_SECRET=YWRtaW4=
TRANSFER_TOKEN_SALT=dHJhbnNmZXI=
JWT_SECRET=and0
ENCRYPTION_KEY=ZW5jcnlwdGlvbktleUZvclRlc3Rz
STRAPI_TELEMETRY_DISABLED=true
DATABASE_CLIENT=postgres
DATABASE_HOST=127.0.0.1
DATABASE_PORT=5432
DATABASE_NAME=strapi
DATABASE_USERNAME=strapi
DATABASE_PASSWORD=strapi
DATABASE_SSL=false
`,
      'config/admin.js': `
module.exports = ({ env }) => ({
  auth: { secret: env('ADMIN_JWT_SECRET') },
  apiToken: { salt: env('API_TOKEN_SALT') },
  transfer: { token: { salt: env('TRANSFER_TOKEN_SALT') } },
  secrets: { encryptionKey: env('ENCRYPTION_KEY') },
  flags: { nps: env.bool('FLAG_NPS', true), promoteEE: env.bool('FLAG_PROMOTE_EE', true) },
});
`,
      'config/api.js': `module.exports = { rest: { defaultLimit: 25, maxLimit: 100, withCount: true } };\n`,
      'config/database.js': `
module.exports = ({ env }) => ({
  connection: {
    client: env('DATABASE_CLIENT', 'postgres'),
    connection: {
      host: env('DATABASE_HOST', 'localhost'),
      port: env.int('DATABASE_PORT', 5432),
      database: env('DATABASE_NAME', 'strapi'),
      user: env('DATABASE_USERNAME', 'strapi'),
      password: env('DATABASE_PASSWORD', 'strapi'),
      ssl: env.bool('DATABASE_SSL', false) && { rejectUnauthorized: env.bool('DATABASE_SSL_REJECT_UNAUTHORIZED', true) },
    },
    pool: { min: env.int('DATABASE_POOL_MIN', 2), max: env.int('DATABASE_POOL_MAX', 10) },
    acquireConnectionTimeout: env.int('DATABASE_CONNECTION_TIMEOUT', 60000),
  },
});
`,
      'config/middlewares.js': `
module.exports = [
  'strapi::logger',
  'strapi::errors',
  'strapi::security',
  'strapi::cors',
  'strapi::poweredBy',
  'strapi::query',
  'strapi::body',
  'strapi::session',
  'strapi::favicon',
  'strapi::public',
];
`,
      'config/plugins.js': 'module.exports = () => ({});\n',
      'config/server.js': `
module.exports = ({ env }) => ({
  host: env('HOST', '0.0.0.0'),
  port: env.int('PORT', 1337),
  app: { keys: env.array('APP_KEYS') },
});
`,
      'public/robots.txt': 'User-agent: *\n',
      'public/uploads/.gitkeep': '',
      'src/index.js': `
module.exports = {
  register() {},
  async bootstrap({ strapi }) {
    const articles = strapi.documents('api::article.article');
    if ((await articles.count({})) > 0) return;
    for (let n = 1; n <= 15; n += 1) await articles.create({ data: { title: 'Article ' + n, body: 'Text' } });
  },
};
`,
      'src/api/article/content-types/article/schema.json': jsonText({
        kind: 'collectionType',
        collectionName: 'articles',
        info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
        options: { draftAndPublish: false },
        attributes: { title: { type: 'string', required: true }, body: { type: 'text' } },
      }),
      'src/api/article/controllers/article.js': `
const { createCoreController } = require('@strapi/strapi').factories;
module.exports = createCoreController('api::article.article');
`,
      'src/api/article/services/article.js': `
const { createCoreService } = require('@strapi/strapi').factories;
module.exports = createCoreService('api::article.article');
`,
      'src/api/article/routes/article.js': `
const { createCoreRouter } = require('@strapi/strapi').factories;
module.exports = createCoreRouter('api::article.article', { config: { find: { auth: false } } });
`,
    },
    command: ['npm', 'start'],
    env: {
      DATABASE_HOST: '{host}',
      DATABASE_PORT: '{port}',
      DATABASE_NAME: '{name}',
      DATABASE_USERNAME: '{user}',
      DATABASE_PASSWORD: '{password}',
    },
    pool: { setBy: 'DATABASE_POOL_MAX' },
    routes: ['/api/articles', '/_health'],
  },
];
