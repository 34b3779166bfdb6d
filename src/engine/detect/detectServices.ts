import path from 'node:path';
import type { Detection, FoundService } from '../../model/domain/detection.ts';
import { freeName } from '../files/freeName.ts';
import { candidatesOf, givenService } from './candidates/candidates.ts';
import { waysToStart } from './candidates/waysToStart.ts';
import { FolderFiles } from './folderFiles.ts';
import { jvmService } from './jvmService.ts';
import { nodeService } from './nodeService.ts';

/** A workspace of many services is searched; beyond these nobody would choose from a list. */
const mostServices = 20;

/**
 * The services in a folder, as far as its files show: nothing is started, no file outside of it is read, no value of a `.env` is used. Each thing that was
 * found says how it is known; what was not found is a question. The ways in which something here is started are listed as well. With a command there is one
 * service, the one that it starts.
 */
export function detectServices(dir: string, command: readonly string[] = []): Detection {
  const files = new FolderFiles(dir);
  const folders = [
    ...new Set(
      files.paths
        .filter((file) => /(?:^|\/)(?:package\.json|pom\.xml|build\.gradle(?:\.kts)?)$/.test(file))
        .map((file) => path.posix.dirname(file)),
    ),
  ];
  const ways = waysToStart(files);
  const services: FoundService[] = [];
  for (const folder of folders) {
    if (services.length >= mostServices) {
      files.note(`Only the first ${mostServices} services are listed.`);
      break;
    }
    for (const found of [nodeService(files, folder, ways), jvmService(files, folder)]) if (found !== null) services.push(found);
  }
  const found = withOwnIds(services);
  if (command.length > 0) return { services: [givenService(files, command, found)], candidates: [], notes: files.notes };
  const candidates = candidatesOf(files, ways, found);
  return { services: found, candidates, notes: files.notes };
}

/** A number distinguishes two services of one name. */
function withOwnIds(services: readonly FoundService[]): FoundService[] {
  const taken = new Set<string>();
  return services.map((service) => ({
    ...service,
    id: freeName(service.id, (number) => `${service.id.slice(0, 37)}-${number}`, taken),
  }));
}
