import { describedOperations } from '../../detect/openApi.ts';
import type { TrafficSource } from '../trafficSource.ts';

/** An OpenAPI or Swagger description: each operation once. Which keys there are only the data can say. */
export const openApiFile: TrafficSource = {
  name: 'OpenAPI file',
  sniff: (head) => /^\s*["']?(?:openapi|swagger)["']?\s*:/m.test(head) || /^\s*\{[^]{0,2000}?"(?:openapi|swagger)"\s*:/.test(head),
  read({ text }, sink) {
    for (const { method, path } of describedOperations(text()))
      if (/^(?:get|post|put|patch|delete)$/i.test(method)) sink.add({ method: method.toUpperCase(), target: path, session: 'description' });
  },
};
