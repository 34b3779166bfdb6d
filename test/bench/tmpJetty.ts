import { plantedRepository } from './truth/commits/repository.ts';
import { jettyService } from './truth/commits/services.ts';
const planting = jettyService.plantings.find(({ name }) => name === (process.argv[2] ?? 'a comment'));
if (planting === undefined) throw new Error('none');
const files = planting.on?.(jettyService.files) ?? jettyService.files;
const repository = plantedRepository([
  { message: 'The service', files },
  { message: 'The change', files: planting.change(files) },
]);
console.log(repository.dir);
