import type { FieldService } from '../fieldService.ts';
import { jsonText, nodePackage, nodeWithPostgres, npmInstall, typescriptCompiler } from './nodePackage.ts';

const mockoonRoutes = [
  mockoonRoute('1', 'orders', `[{{#repeat 5}}{ "id": {{@index}}, "customer": "{{faker 'person.fullName'}}" }{{/repeat}}]`),
  mockoonRoute('2', 'orders/:id', `{ "id": "{{urlParam 'id'}}", "state": "{{oneOf (array 'open' 'paid' 'sent')}}" }`),
];

/** Projects that are started by a tool of their framework, with the port in a file of settings. */
export const nodeProjectServices: readonly FieldService[] = [
  {
    ...nodeWithPostgres,
    name: 'egg-sequelize',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'egg-shop',
        { egg: '3.34.0', 'egg-scripts': '3.1.0', 'egg-sequelize': '6.0.0', pg: '8.23.1', 'pg-hstore': '2.3.4', 'sequelize-cli': '6.6.5' },
        {
          egg: { declarations: false },
          scripts: {
            migrate: 'sequelize db:migrate',
            prestart: 'npm run migrate',
            start: 'egg-scripts start --title=egg-server-egg-shop',
            stop: 'egg-scripts stop --title=egg-server-egg-shop',
          },
        },
      ),
      '.sequelizerc': `'use strict';

const path = require('path');

module.exports = {
  config: path.join(__dirname, 'database/config.js'),
  'migrations-path': path.join(__dirname, 'database/migrations'),
};
`,
      'database/config.js': `'use strict';

module.exports = {
  development: { use_env_variable: 'EGG_SHOP_DB', dialect: 'postgres', logging: false },
};
`,
      'database/migrations/20180813112934-user.js': `'use strict';

module.exports = {
  up: async (queryInterface, Sequelize) => {
    const { INTEGER, DATE, STRING } = Sequelize;
    await queryInterface.createTable('users', {
      id: { type: INTEGER, primaryKey: true, autoIncrement: true },
      name: STRING(30),
      age: INTEGER,
      created_at: DATE,
      updated_at: DATE,
    });
    const now = new Date();
    const users = Array.from({ length: 40 }, (_, n) => ({ name: 'user-' + n, age: 20 + n, created_at: now, updated_at: now }));
    await queryInterface.bulkInsert('users', users);
  },
  down: async queryInterface => {
    await queryInterface.dropTable('users');
  },
};
`,
      'config/plugin.js': `'use strict';

exports.sequelize = {
  enable: true,
  package: 'egg-sequelize',
};
`,
      'config/config.default.js': `'use strict';

const path = require('path');

module.exports = appInfo => {
  const config = (exports = {});

  // use for cookie sign key, should change to your own and keep security
  config.keys = appInfo.name + '_1534149513829_6912';

  config.logger = { dir: path.join(appInfo.baseDir, 'logs') };

  config.sequelize = {
    dialect: 'postgres',
    connectionUri: process.env.EGG_SHOP_DB,
    pool: { max: 5, min: 0, idle: 10000 },
  };

  return config;
};
`,
      'config/config.prod.js': `'use strict';

exports.cluster = {
  listen: { port: 7010, hostname: '127.0.0.1' },
};
`,
      'app/router.js': `'use strict';

module.exports = app => {
  const { router, controller } = app;
  router.get('/', controller.home.index);
  router.resources('users', '/users', controller.users);
};
`,
      'app/model/user.js': `'use strict';

module.exports = app => {
  const { STRING, INTEGER, DATE } = app.Sequelize;

  const User = app.model.define('user', {
    id: { type: INTEGER, primaryKey: true, autoIncrement: true },
    name: STRING(30),
    age: INTEGER,
    created_at: DATE,
    updated_at: DATE,
  });

  return User;
};
`,
      'app/controller/home.js': `'use strict';

const Controller = require('egg').Controller;

class HomeController extends Controller {
  async index() {
    this.ctx.body = 'hi, egg';
  }
}

module.exports = HomeController;
`,
      'app/controller/users.js': `'use strict';

const Controller = require('egg').Controller;

function toInt(str) {
  if (typeof str === 'number') return str;
  if (!str) return str;
  return parseInt(str, 10) || 0;
}

class UserController extends Controller {
  async index() {
    const ctx = this.ctx;
    const query = { limit: toInt(ctx.query.limit) || 10, offset: toInt(ctx.query.offset), order: [[ 'id', 'asc' ]] };
    ctx.body = await ctx.model.User.findAll(query);
  }

  async show() {
    const ctx = this.ctx;
    const user = await ctx.model.User.findByPk(toInt(ctx.params.id));
    if (!user) {
      ctx.status = 404;
      return;
    }
    ctx.body = user;
  }

  async create() {
    const ctx = this.ctx;
    const { name, age } = ctx.request.body;
    ctx.status = 201;
    ctx.body = await ctx.model.User.create({ name, age });
  }
}

module.exports = UserController;
`,
    },
    command: ['npm', 'start'],
    env: { EGG_SHOP_DB: '{database}' },
    routes: ['/', '/users', '/users/3'],
  },
  {
    ...nodeWithPostgres,
    name: 'nest-yaml-config',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'nest-rooms',
        {
          '@nestjs/common': '11.2.10',
          '@nestjs/core': '11.2.10',
          '@nestjs/platform-express': '11.2.10',
          'class-transformer': '0.5.1',
          'class-validator': '0.14.3',
          'nest-typed-config': '2.10.1',
          pg: '8.23.1',
          'reflect-metadata': '0.2.2',
          rxjs: '7.8.2',
        },
        {
          scripts: { build: 'nest build', start: 'nest start', 'start:dev': 'nest start --watch', 'start:prod': 'node dist/main' },
          devDependencies: { '@nestjs/cli': '11.0.24', '@nestjs/schematics': '11.1.0', '@types/pg': '8.23.1', ...typescriptCompiler },
        },
      ),
      'nest-cli.json': jsonText({ collection: '@nestjs/schematics', sourceRoot: 'src', compilerOptions: { deleteOutDir: true } }),
      'tsconfig.json': jsonText({
        compilerOptions: {
          module: 'commonjs',
          target: 'ES2023',
          emitDecoratorMetadata: true,
          experimentalDecorators: true,
          allowSyntheticDefaultImports: true,
          sourceMap: true,
          outDir: './dist',
          rootDir: './src',
          strict: true,
          skipLibCheck: true,
        },
        include: ['src'],
      }),
      '.env.yaml': `http:
  host: 127.0.0.1
  port: 8080
  prefix: api/v2
db:
  postgres:
    host: \${DB_HOST}
    port: \${DB_PORT}
    user: \${DB_USER}
    password: \${DB_PASSWORD}
    database: \${DB_NAME}
    poolSize: 6
`,
      'src/config.ts': `
import { Type } from 'class-transformer';
import { IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';

export class HttpConfig {
  @IsString()
  readonly host!: string;
  @IsInt()
  @Min(0)
  @Max(65535)
  @Type(() => Number)
  readonly port!: number;
  @IsString()
  readonly prefix!: string;
}

export class PostgresConfig {
  @IsString()
  readonly host!: string;
  @IsInt()
  @Type(() => Number)
  readonly port!: number;
  @IsString()
  @Type(() => String)
  readonly user!: string;
  @IsString()
  @Type(() => String)
  readonly password!: string;
  @IsString()
  readonly database!: string;
  @IsInt()
  @Type(() => Number)
  readonly poolSize!: number;
}

export class DatabaseConfig {
  @Type(() => PostgresConfig)
  @ValidateNested()
  readonly postgres!: PostgresConfig;
}

export class RootConfig {
  @Type(() => HttpConfig)
  @ValidateNested()
  readonly http!: HttpConfig;
  @Type(() => DatabaseConfig)
  @ValidateNested()
  readonly db!: DatabaseConfig;
}
`,
      'src/database/database.module.ts': `
import { Global, Inject, Module, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { Pool } from 'pg';
import { PostgresConfig } from '../config';

export const PG_POOL = 'PG_POOL';

@Global()
@Module({
  providers: [
    {
      provide: PG_POOL,
      inject: [PostgresConfig],
      useFactory: ({ host, port, user, password, database, poolSize }: PostgresConfig) =>
        new Pool({ host, port, user, password, database, max: poolSize }),
    },
  ],
  exports: [PG_POOL],
})
export class DatabaseModule implements OnModuleInit, OnApplicationShutdown {
  constructor(@Inject(PG_POOL) private readonly pool: Pool) {}

  async onModuleInit() {
    await this.pool.query('create table if not exists rooms (id int primary key, name text not null, seats int not null)');
    await this.pool.query("insert into rooms select n, 'Room ' || n, n % 12 + 2 from generate_series(1, 60) n on conflict do nothing");
  }

  onApplicationShutdown() {
    return this.pool.end();
  }
}
`,
      'src/rooms/rooms.module.ts': `
import { Controller, Get, Inject, Injectable, Module, NotFoundException, Param, ParseIntPipe } from '@nestjs/common';
import { Pool } from 'pg';
import { PG_POOL } from '../database/database.module';

@Injectable()
export class RoomsRepository {
  constructor(@Inject(PG_POOL) private readonly pool: Pool) {}

  async findAll() {
    return (await this.pool.query('select id, name, seats from rooms order by id limit 20')).rows;
  }

  async findOne(id: number) {
    return (await this.pool.query('select id, name, seats from rooms where id = $1', [id])).rows[0];
  }
}

@Controller('rooms')
export class RoomsController {
  constructor(private readonly rooms: RoomsRepository) {}

  @Get()
  findAll() {
    return this.rooms.findAll();
  }

  @Get(':id')
  async findOne(@Param('id', ParseIntPipe) id: number) {
    const room = await this.rooms.findOne(id);
    if (!room) throw new NotFoundException();
    return room;
  }
}

@Module({ controllers: [RoomsController], providers: [RoomsRepository] })
export class RoomsModule {}
`,
      'src/app.module.ts': `
import { Module } from '@nestjs/common';
import { fileLoader, TypedConfigModule } from 'nest-typed-config';
import { RootConfig } from './config';
import { DatabaseModule } from './database/database.module';
import { RoomsModule } from './rooms/rooms.module';

@Module({
  imports: [TypedConfigModule.forRoot({ schema: RootConfig, load: fileLoader({ ignoreEnvironmentVariableSubstitution: false }) }), DatabaseModule, RoomsModule],
})
export class AppModule {}
`,
      'src/main.ts': `
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import { RootConfig } from './config';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  const { http } = app.get(RootConfig);
  app.setGlobalPrefix(http.prefix);
  app.enableShutdownHooks();
  await app.listen(http.port, http.host);
}
bootstrap();
`,
    },
    command: ['npm', 'start'],
    env: { DB_HOST: '{host}', DB_PORT: '{port}', DB_USER: '{user}', DB_PASSWORD: '{password}', DB_NAME: '{name}' },
    routes: ['/api/v2/rooms', '/api/v2/rooms/3'],
  },
  {
    runtime: 'node',
    name: 'mockoon-cli',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'orders-mock',
        { '@mockoon/cli': '9.9.0' },
        { scripts: { start: 'mockoon-cli start --data ./mocks/orders.json --disable-log-to-file' } },
      ),
      'mocks/orders.json': jsonText({
        uuid: 'c7f2b0de-58a1-4c52-9b3f-3a6c1d1f0a01',
        lastMigration: 33,
        name: 'Orders',
        endpointPrefix: 'v1',
        latency: 0,
        port: 3010,
        hostname: '127.0.0.1',
        folders: [],
        routes: mockoonRoutes,
        rootChildren: mockoonRoutes.map(({ uuid }) => ({ type: 'route', uuid })),
        proxyMode: false,
        proxyHost: '',
        proxyRemovePrefix: false,
        tlsOptions: { enabled: false, type: 'CERT', pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
        cors: true,
        headers: [{ key: 'Content-Type', value: 'application/json' }],
        proxyReqHeaders: [],
        proxyResHeaders: [],
        data: [],
        callbacks: [],
      }),
    },
    command: ['npm', 'start'],
    env: {},
    usesPostgres: false,
    pool: null,
    routes: ['/v1/orders', '/v1/orders/7'],
  },
];

/** A route of Mockoon’s file that answers a GET with a template. */
function mockoonRoute(id: string, endpoint: string, body: string): { uuid: string } {
  const uuid = `5d6a1c1e-0000-4000-8000-00000000000${id}`;
  const response = {
    uuid: uuid.replace('5d6a', '6e7b'),
    body,
    latency: 0,
    statusCode: 200,
    label: '',
    headers: [],
    bodyType: 'INLINE',
    filePath: '',
    databucketID: '',
    sendFileAsBody: false,
    rules: [],
    rulesOperator: 'OR',
    disableTemplating: false,
    fallbackTo404: false,
    default: true,
    crudKey: 'id',
    callbacks: [],
  };
  const route = { uuid, type: 'http', documentation: '', method: 'get', endpoint, responses: [response], responseMode: null };
  return route;
}
