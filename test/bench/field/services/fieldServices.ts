import type { FieldService } from '../fieldService.ts';
import { jvmEmbeddedServices } from './jvmEmbedded.ts';
import { jvmFrameworkServices } from './jvmFrameworks.ts';
import { jvmSpringServices } from './jvmSpring.ts';
import { nodeDriverServices } from './nodeDrivers.ts';
import { nodeFrameworkServices } from './nodeFrameworks.ts';
import { nodeProductServices } from './nodeProducts.ts';
import { nodeStartServices } from './nodeStarts.ts';

/** Every service that is tried. Whoever adds some writes a file next to this one, and a line here. */
export const fieldServices: readonly FieldService[] = [
  ...nodeFrameworkServices,
  ...nodeDriverServices,
  ...nodeStartServices,
  ...nodeProductServices,
  ...jvmSpringServices,
  ...jvmFrameworkServices,
  ...jvmEmbeddedServices,
];
