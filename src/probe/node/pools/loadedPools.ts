import Module from 'node:module';
import { nowUs } from '../clock.ts';
import { SequelizePools } from './sequelizePool.ts';
import { TarnPools } from './tarnPool.ts';

const ofInterest = /[\\/]node_modules[\\/](tarn|sequelize-pool)[\\/]/;
/** An app loads its modules when it starts: later they are looked through less often. */
const [soonUs, seldomUs] = [30_000_000, 10_000_000];

/**
 * Finds pools that are no event emitters, tarn's and Sequelize's, by their class among the modules that are loaded already. Nothing is put
 * between the app and `require`. A pool shows itself with the first call after that.
 */
export class LoadedPools {
  readonly #seen = new Set<string>();
  readonly #startUs = nowUs();
  #lookedUs = 0;

  constructor(
    private readonly tarn: TarnPools,
    private readonly sequelize: SequelizePools,
  ) {}

  /** To be called once a second. */
  look(): void {
    const time = nowUs();
    if (time - this.#startUs > soonUs && time - this.#lookedUs < seldomUs) return;
    this.#lookedUs = time;
    const cache = (Module as unknown as { _cache?: Record<string, { exports?: unknown; loaded?: boolean } | undefined> })._cache ?? {};
    for (const file of Object.keys(cache)) {
      if (!ofInterest.test(file) || this.#seen.has(file)) continue;
      const module = cache[file];
      if (module?.loaded !== true) continue;
      this.#seen.add(file);
      const exported = module.exports as { Pool?: { prototype?: unknown }; Deferred?: { prototype?: unknown } } | null | undefined;
      const [pool, deferred] = [exported?.Pool?.prototype, exported?.Deferred?.prototype];
      if (TarnPools.isTarn(pool)) this.tarn.follow(pool);
      else if (isObject(pool) && SequelizePools.isPool(pool)) this.sequelize.followPool(pool);
      if (isObject(deferred) && file.includes('sequelize-pool')) this.sequelize.followWaiting(deferred);
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
