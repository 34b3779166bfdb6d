import type { FieldService } from '../fieldService.ts';
import { jsonText, nodePackage, nodeWithPostgres, npmInstallAndBuild, typescriptCompiler } from './nodePackage.ts';

/** Projects as the starters of larger frameworks lay them out: settings in modules of TypeScript, or in JSON by environment. */
export const nodeStarterServices: readonly FieldService[] = [
  {
    ...nodeWithPostgres,
    name: 'midway-typeorm',
    build: npmInstallAndBuild,
    files: {
      'package.json': nodePackage(
        'bookshop',
        {
          '@midwayjs/bootstrap': '3.20.24',
          '@midwayjs/core': '3.20.24',
          '@midwayjs/koa': '3.20.24',
          '@midwayjs/logger': '3.4.2',
          '@midwayjs/typeorm': '3.20.24',
          pg: '8.23.1',
          typeorm: '0.3.28',
        },
        {
          scripts: {
            start: 'NODE_ENV=production node ./bootstrap.js',
            dev: 'cross-env NODE_ENV=local mwtsc --watch --run @midwayjs/mock/app.js',
            build: 'mwtsc --cleanOutDir',
          },
          devDependencies: { '@types/koa': '2.15.0', mwtsc: '1.16.0', ...typescriptCompiler },
        },
      ),
      'tsconfig.json': jsonText({
        compileOnSave: true,
        compilerOptions: {
          target: 'ES2020',
          module: 'commonjs',
          moduleResolution: 'node',
          esModuleInterop: true,
          experimentalDecorators: true,
          emitDecoratorMetadata: true,
          inlineSourceMap: true,
          skipLibCheck: true,
          outDir: 'dist',
          rootDir: 'src',
        },
        exclude: ['*.js', '*.ts', 'dist', 'node_modules', 'test'],
      }),
      'bootstrap.js': `
const { Bootstrap } = require('@midwayjs/bootstrap');
Bootstrap.run();
`,
      'src/config/config.default.ts': `
import { MidwayConfig } from '@midwayjs/core';
import { Book } from '../entity/book.entity';

export default {
  keys: '1717573461234_5871',
  koa: {
    port: 7001,
  },
  typeorm: {
    dataSource: {
      default: {
        type: 'postgres',
        host: process.env.DB_HOST,
        port: Number(process.env.DB_PORT),
        username: process.env.DB_USER,
        password: process.env.DB_PASSWORD,
        database: process.env.DB_NAME,
        poolSize: 8,
        synchronize: true,
        logging: false,
        entities: [Book],
      },
    },
  },
} as MidwayConfig;
`,
      'src/configuration.ts': `
import { App, Configuration, Inject } from '@midwayjs/core';
import * as koa from '@midwayjs/koa';
import * as orm from '@midwayjs/typeorm';
import { join } from 'path';
import { BookService } from './service/book.service';

@Configuration({ imports: [koa, orm], importConfigs: [join(__dirname, './config')] })
export class MainConfiguration {
  @App('koa')
  app: koa.Application;

  @Inject()
  bookService: BookService;

  async onReady() {
    await this.bookService.seed();
  }
}
`,
      'src/entity/book.entity.ts': `
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('books')
export class Book {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ length: 100 })
  title: string;

  @Column('text')
  description: string;
}
`,
      'src/service/book.service.ts': `
import { Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { InjectEntityModel } from '@midwayjs/typeorm';
import { Repository } from 'typeorm';
import { Book } from '../entity/book.entity';

@Provide()
@Scope(ScopeEnum.Request, { allowDowngrade: true })
export class BookService {
  @InjectEntityModel(Book)
  bookModel: Repository<Book>;

  async seed() {
    if ((await this.bookModel.count()) > 0) return;
    await this.bookModel.save(Array.from({ length: 30 }, (_, n) => ({ title: 'Book ' + n, description: 'About ' + n })));
  }

  async list(page: number, size: number) {
    const [rows, total] = await this.bookModel.findAndCount({ order: { id: 'ASC' }, skip: (page - 1) * size, take: size });
    return { rows, total };
  }

  async find(id: number) {
    return this.bookModel.findOneBy({ id });
  }
}
`,
      'src/controller/home.controller.ts': `
import { Controller, Get } from '@midwayjs/core';

@Controller('/')
export class HomeController {
  @Get('/')
  async home(): Promise<string> {
    return 'Hello Midwayjs!';
  }
}
`,
      'src/controller/book.controller.ts': `
import { Controller, Get, Inject, Param, Query, httpError } from '@midwayjs/core';
import { BookService } from '../service/book.service';

@Controller('/api/books')
export class BookController {
  @Inject()
  bookService: BookService;

  @Get('/')
  async list(@Query('page') page = 1, @Query('size') size = 10) {
    return { success: true, message: 'OK', data: await this.bookService.list(page, size) };
  }

  @Get('/:id')
  async find(@Param('id') id: number) {
    const book = await this.bookService.find(id);
    if (!book) throw new httpError.NotFoundError();
    return { success: true, message: 'OK', data: book };
  }
}
`,
    },
    command: ['npm', 'start'],
    env: { DB_HOST: '{host}', DB_PORT: '{port}', DB_USER: '{user}', DB_PASSWORD: '{password}', DB_NAME: '{name}' },
    routes: ['/', '/api/books', '/api/books/3'],
  },
  {
    ...nodeWithPostgres,
    name: 'foal-typeorm',
    build: npmInstallAndBuild,
    files: {
      'package.json': nodePackage(
        'foal-market',
        { '@foal/core': '4.5.1', '@foal/typeorm': '4.5.1', pg: '8.23.1', 'source-map-support': '0.5.21', typeorm: '0.3.20' },
        {
          scripts: {
            build: 'npx foal rmdir build && tsc -p tsconfig.app.json',
            start: 'node ./build/index.js',
            migrations: 'npx typeorm migration:run -d build/db',
          },
          devDependencies: { '@foal/cli': '4.5.1', ...typescriptCompiler },
        },
      ),
      'tsconfig.json': jsonText({
        compilerOptions: {
          outDir: 'build',
          sourceMap: true,
          experimentalDecorators: true,
          emitDecoratorMetadata: true,
          strict: true,
          noImplicitAny: false,
          strictPropertyInitialization: false,
          skipLibCheck: true,
          module: 'commonjs',
          target: 'es2021',
          rootDir: 'src',
          lib: ['es2021', 'dom'],
        },
        include: ['src/**/*.ts'],
      }),
      'tsconfig.app.json': jsonText({ extends: './tsconfig.json', include: ['src/**/*.ts'], exclude: ['src/e2e.ts', 'src/**/*.spec.ts'] }),
      'config/default.json': jsonText({
        port: 'env(PORT)',
        settings: { debug: 'env(SETTINGS_DEBUG)', loggerFormat: 'none' },
        database: { url: 'env(DATABASE_URL)', poolSize: 'env(DATABASE_POOL_SIZE)', synchronize: false },
      }),
      'config/development.json': jsonText({ settings: { debug: true }, database: { synchronize: true } }),
      'src/db.ts': `
import { Config } from '@foal/core';
import { DataSource } from 'typeorm';

export function createDataSource(): DataSource {
  return new DataSource({
    type: 'postgres',
    url: Config.getOrThrow('database.url', 'string'),
    poolSize: Config.get('database.poolSize', 'number', 10),
    synchronize: Config.get('database.synchronize', 'boolean', false),
    entities: ['build/app/**/*.entity.js'],
    migrations: ['build/migrations/*.js'],
  });
}

export const dataSource = createDataSource();
`,
      'src/index.ts': `
import 'source-map-support/register';

// 3p
import { Config, createApp, Logger, ServiceManager } from '@foal/core';

// App
import { AppController } from './app/app.controller';
import { Product } from './app/entities';
import { dataSource } from './db';

async function main() {
  await dataSource.initialize();
  if ((await Product.count()) === 0) {
    await Product.insert(Array.from({ length: 25 }, (_, n) => ({ name: 'Product ' + n, price: 10 + n })));
  }

  const serviceManager = new ServiceManager();
  const logger = serviceManager.get(Logger);
  const app = await createApp(AppController, { serviceManager });

  const port = Config.get('port', 'number', 3001);
  app.listen(port, () => logger.info(\`Listening on port \${port}...\`));
}

main().catch(err => { console.error(err.stack); process.exit(1); });
`,
      'src/app/entities/index.ts': `export { Product } from './product.entity';\n`,
      'src/app/entities/product.entity.ts': `
import { BaseEntity, Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity()
export class Product extends BaseEntity {
  @PrimaryGeneratedColumn()
  id: number;

  @Column()
  name: string;

  @Column()
  price: number;
}
`,
      'src/app/app.controller.ts': `
import { controller, IAppController } from '@foal/core';
import { ApiController } from './controllers';

export class AppController implements IAppController {
  subControllers = [controller('/api', ApiController)];
}
`,
      'src/app/controllers/index.ts': `export { ApiController } from './api.controller';\nexport { ProductsController } from './products.controller';\n`,
      'src/app/controllers/api.controller.ts': `
import { Context, controller, Get, HttpResponseOK } from '@foal/core';
import { ProductsController } from './products.controller';

export class ApiController {
  subControllers = [controller('/products', ProductsController)];

  @Get('/')
  index(ctx: Context) {
    return new HttpResponseOK('Hello world!');
  }
}
`,
      'src/app/controllers/products.controller.ts': `
import { Context, Get, HttpResponseCreated, HttpResponseNotFound, HttpResponseOK, Post, ValidateBody, ValidatePathParam } from '@foal/core';
import { Product } from '../entities';

export class ProductsController {
  @Get()
  async readProducts() {
    return new HttpResponseOK(await Product.find({ order: { id: 'ASC' }, take: 10 }));
  }

  @Get('/:productId')
  @ValidatePathParam('productId', { type: 'number' })
  async readProduct(ctx: Context, { productId }: { productId: number }) {
    const product = await Product.findOneBy({ id: productId });
    return product ? new HttpResponseOK(product) : new HttpResponseNotFound();
  }

  @Post()
  @ValidateBody({ type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } }, required: ['name', 'price'] })
  async createProduct(ctx: Context) {
    return new HttpResponseCreated(await Product.save(ctx.request.body));
  }
}
`,
    },
    command: ['npm', 'start'],
    pool: { setBy: 'DATABASE_POOL_SIZE' },
    routes: ['/api', '/api/products', '/api/products/3'],
  },
];
