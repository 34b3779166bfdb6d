import type { FieldService } from '../fieldService.ts';
import { jsonText, nodePackage, nodeWithPostgres, npmInstall, npmInstallAndBuild, typescriptCompiler } from './nodePackage.ts';

/** Services that read their tables through an object-relational mapper. */
export const nodeOrmServices: readonly FieldService[] = [
  {
    ...nodeWithPostgres,
    name: 'nest-fastify-mikro-orm',
    build: npmInstallAndBuild,
    files: {
      'package.json': nodePackage(
        'cats-api',
        {
          '@nestjs/common': '11.2.10',
          '@nestjs/core': '11.2.10',
          '@nestjs/config': '4.0.4',
          '@nestjs/platform-fastify': '11.2.8',
          '@mikro-orm/core': '6.6.16',
          '@mikro-orm/nestjs': '6.1.2',
          '@mikro-orm/postgresql': '6.6.16',
          'reflect-metadata': '0.2.2',
          rxjs: '7.8.2',
        },
        {
          scripts: { build: 'nest build', start: 'nest start', 'start:dev': 'nest start --watch', 'start:prod': 'node dist/main' },
          devDependencies: { '@nestjs/cli': '11.0.24', '@nestjs/schematics': '11.1.0', ...typescriptCompiler },
        },
      ),
      'nest-cli.json': jsonText({ collection: '@nestjs/schematics', sourceRoot: 'src', compilerOptions: { deleteOutDir: true } }),
      'tsconfig.json': jsonText({
        compilerOptions: {
          module: 'commonjs',
          target: 'ES2023',
          declaration: true,
          removeComments: true,
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
      '.env': `PORT=3000
DATABASE_HOST=localhost
DATABASE_PORT=5432
DATABASE_USER=cats
DATABASE_PASSWORD=cats
DATABASE_NAME=cats
DATABASE_POOL_MAX=10
`,
      'src/config/configuration.ts': `
export default () => ({
  port: parseInt(process.env.PORT ?? '3000', 10),
  database: {
    host: process.env.DATABASE_HOST,
    port: parseInt(process.env.DATABASE_PORT ?? '5432', 10),
    user: process.env.DATABASE_USER,
    password: process.env.DATABASE_PASSWORD,
    name: process.env.DATABASE_NAME,
    poolMax: parseInt(process.env.DATABASE_POOL_MAX ?? '10', 10),
  },
});
`,
      'src/cats/cat.entity.ts': `
import { Entity, PrimaryKey, Property } from '@mikro-orm/core';
@Entity({ tableName: 'cats' })
export class Cat {
  @PrimaryKey({ type: 'integer' })
  id!: number;
  @Property({ type: 'string' })
  name!: string;
}
`,
      'src/cats/cats.service.ts': `
import { EntityRepository } from '@mikro-orm/core';
import { InjectRepository } from '@mikro-orm/nestjs';
import { Injectable } from '@nestjs/common';
import { Cat } from './cat.entity';
@Injectable()
export class CatsService {
  constructor(@InjectRepository(Cat) private readonly cats: EntityRepository<Cat>) {}
  findAll(): Promise<Cat[]> {
    return this.cats.findAll({ limit: 20 });
  }
  findOne(id: number): Promise<Cat | null> {
    return this.cats.findOne({ id });
  }
}
`,
      'src/cats/cats.controller.ts': `
import { Controller, Get, NotFoundException, Param, ParseIntPipe } from '@nestjs/common';
import { CatsService } from './cats.service';
@Controller('cats')
export class CatsController {
  constructor(private readonly catsService: CatsService) {}
  @Get()
  findAll() {
    return this.catsService.findAll();
  }
  @Get(':id')
  async findOne(@Param('id', ParseIntPipe) id: number) {
    const cat = await this.catsService.findOne(id);
    if (!cat) throw new NotFoundException();
    return cat;
  }
}
`,
      'src/cats/cats.module.ts': `
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { Cat } from './cat.entity';
import { CatsController } from './cats.controller';
import { CatsService } from './cats.service';
@Module({ imports: [MikroOrmModule.forFeature([Cat])], controllers: [CatsController], providers: [CatsService] })
export class CatsModule {}
`,
      'src/app.module.ts': `
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { CatsModule } from './cats/cats.module';
import configuration from './config/configuration';
@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true, load: [configuration] }),
    MikroOrmModule.forRootAsync({
      driver: PostgreSqlDriver,
      inject: [ConfigService],
      useFactory: (config: ConfigService) => ({
        driver: PostgreSqlDriver,
        host: config.get<string>('database.host'),
        port: config.get<number>('database.port'),
        user: config.get<string>('database.user'),
        password: config.get<string>('database.password'),
        dbName: config.get<string>('database.name'),
        pool: { min: 0, max: config.get<number>('database.poolMax') },
        autoLoadEntities: true,
      }),
    }),
    CatsModule,
  ],
})
export class AppModule {}
`,
      'src/main.ts': `
import { MikroORM } from '@mikro-orm/core';
import { ConfigService } from '@nestjs/config';
import { NestFactory } from '@nestjs/core';
import { VersioningType } from '@nestjs/common';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module';
import { Cat } from './cats/cat.entity';
async function bootstrap() {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter());
  app.setGlobalPrefix('api');
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  app.enableShutdownHooks();
  const orm = app.get(MikroORM);
  await orm.schema.updateSchema();
  const em = orm.em.fork();
  if ((await em.count(Cat)) === 0) await em.insertMany(Cat, Array.from({ length: 30 }, (_, n) => ({ name: 'Cat ' + n })));
  await app.listen(app.get(ConfigService).get<number>('port') ?? 3000, '0.0.0.0');
}
void bootstrap();
`,
    },
    command: ['npm', 'run', 'start:prod'],
    env: {
      DATABASE_HOST: '{host}',
      DATABASE_PORT: '{port}',
      DATABASE_USER: '{user}',
      DATABASE_PASSWORD: '{password}',
      DATABASE_NAME: '{name}',
    },
    pool: { setBy: 'DATABASE_POOL_MAX' },
    routes: ['/api/v1/cats', '/api/v1/cats/2'],
  },
  {
    ...nodeWithPostgres,
    name: 'objection-knexfile',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'people',
        { express: '4.22.3', objection: '3.1.5', knex: '3.3.0', pg: '8.23.1' },
        {
          scripts: {
            'db:migrate': 'knex migrate:latest',
            'db:seed': 'knex seed:run',
            prestart: 'npm run db:migrate && npm run db:seed',
            start: 'node app.js',
          },
        },
      ),
      'knexfile.js': `
const common = { client: 'pg', migrations: { tableName: 'knex_migrations' }, pool: { min: 2, max: 10 } };
module.exports = {
  development: { ...common, connection: process.env.PG_CONNECTION_STRING },
  production: { ...common, connection: { connectionString: process.env.PG_CONNECTION_STRING, ssl: { rejectUnauthorized: false } } },
};
`,
      'migrations/20250101000000_init.js': `
exports.up = (knex) =>
  knex.schema
    .createTable('persons', (table) => {
      table.increments('id').primary();
      table.string('firstName');
      table.integer('parentId').unsigned().references('id').inTable('persons').onDelete('SET NULL').index();
    })
    .createTable('animals', (table) => {
      table.increments('id').primary();
      table.string('name');
      table.integer('ownerId').unsigned().references('id').inTable('persons').onDelete('CASCADE').index();
    });
exports.down = (knex) => knex.schema.dropTableIfExists('animals').dropTableIfExists('persons');
`,
      'seeds/people.js': `
exports.seed = async (knex) => {
  await knex('animals').del();
  await knex('persons').del();
  await knex('persons').insert(Array.from({ length: 20 }, (_, n) => ({ id: n + 1, firstName: 'Person ' + n })));
  await knex('animals').insert(Array.from({ length: 40 }, (_, n) => ({ name: 'Animal ' + n, ownerId: 1 + (n % 20) })));
};
`,
      'models/Animal.js': `
const { Model } = require('objection');
module.exports = class Animal extends Model {
  static tableName = 'animals';
};
`,
      'models/Person.js': `
const { Model } = require('objection');
const Animal = require('./Animal');
module.exports = class Person extends Model {
  static tableName = 'persons';
  static relationMappings = {
    pets: { relation: Model.HasManyRelation, modelClass: Animal, join: { from: 'persons.id', to: 'animals.ownerId' } },
  };
};
`,
      'api.js': `
const Person = require('./models/Person');
module.exports = (router) => {
  router.get('/persons', async (req, res) => {
    const query = Person.query().withGraphFetched('pets').orderBy('id').limit(10);
    if (req.query.name) query.where('firstName', 'like', '%' + req.query.name + '%');
    res.send(await query);
  });
  router.get('/persons/:id/pets', async (req, res) => {
    const person = await Person.query().findById(req.params.id).throwIfNotFound();
    res.send(await person.$relatedQuery('pets'));
  });
  router.post('/persons', async (req, res) => res.send(await Person.query().insert(req.body)));
  router.delete('/persons/:id', async (req, res) => res.send({ dropped: (await Person.query().deleteById(req.params.id)) === 1 }));
};
`,
      'app.js': `
const express = require('express');
const Knex = require('knex');
const { Model } = require('objection');
const knexConfig = require('./knexfile');
const registerApi = require('./api');
Model.knex(Knex(knexConfig[process.env.NODE_ENV || 'development']));
const router = express.Router();
registerApi(router);
const app = express().use(express.json()).use(router).set('json spaces', 2);
const server = app.listen(8641, () => console.log('Example app listening at port %s', server.address().port));
`,
    },
    command: ['npm', 'start'],
    env: { PG_CONNECTION_STRING: '{database}' },
    routes: ['/persons', '/persons/3/pets'],
  },
];
