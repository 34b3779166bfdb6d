import type { FlameModel } from '../core/flameModel.ts';
import { createFlameModel } from '../worker/workerFlameModel.ts';

/** The bundled text of `core/flameWorker.ts`, put in by the build: a page of VS Code cannot load a worker by its address. */
declare const FLAME_WORKER_SOURCE: string;

/** A model with a worker of its own. */
export function startFlameModel(): FlameModel {
  return createFlameModel(FLAME_WORKER_SOURCE);
}
