import type { FieldService } from '../fieldService.ts';
import { jvmAsynchronousServices } from './jvmAsynchronous.ts';
import { jvmContainerServices } from './jvmContainers.ts';
import { jvmEmbeddedServices } from './jvmEmbedded.ts';
import { jvmFrameworkServices } from './jvmFrameworks.ts';
import { jvmHelidonServices } from './jvmHelidon.ts';
import { jvmLanguageServices } from './jvmLanguages.ts';
import { jvmProfileServices } from './jvmProfiles.ts';
import { jvmRepositoryServices } from './jvmRepositories.ts';
import { jvmSpringServices } from './jvmSpring.ts';
import { jvmSpringApiServices } from './jvmSpringApis.ts';
import { jvmSpringDataServices } from './jvmSpringData.ts';
import { jvmStarterServices } from './jvmStarters.ts';
import { nodeBackendServices } from './nodeBackends.ts';
import { nodeConfiguredServices } from './nodeConfigured.ts';
import { nodeDriverServices } from './nodeDrivers.ts';
import { nodeExpressAppServices } from './nodeExpressApps.ts';
import { nodeFrameworkServices } from './nodeFrameworks.ts';
import { nodeOrmServices } from './nodeOrms.ts';
import { nodePageServices } from './nodePages.ts';
import { nodeProcedureServices } from './nodeProcedures.ts';
import { nodeProductServices } from './nodeProducts.ts';
import { nodeProjectServices } from './nodeProjects.ts';
import { nodeStarterServices } from './nodeStarters.ts';
import { nodeStartServices } from './nodeStarts.ts';
import { nodeTypeScriptServices } from './nodeTypeScript.ts';

/** Every service that is tried. Whoever adds some writes a file next to this one, and a line here. */
export const fieldServices: readonly FieldService[] = [
  ...nodeFrameworkServices,
  ...nodeDriverServices,
  ...nodeStartServices,
  ...nodeProductServices,
  ...nodePageServices,
  ...nodeBackendServices,
  ...nodeOrmServices,
  ...nodeConfiguredServices,
  ...nodeExpressAppServices,
  ...nodeTypeScriptServices,
  ...nodeStarterServices,
  ...nodeProjectServices,
  ...nodeProcedureServices,
  ...jvmSpringServices,
  ...jvmSpringDataServices,
  ...jvmSpringApiServices,
  ...jvmFrameworkServices,
  ...jvmEmbeddedServices,
  ...jvmHelidonServices,
  ...jvmContainerServices,
  ...jvmLanguageServices,
  ...jvmAsynchronousServices,
  ...jvmRepositoryServices,
  ...jvmStarterServices,
  ...jvmProfileServices,
];
