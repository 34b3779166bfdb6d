import { fileURLToPath } from 'node:url';
import { attempt } from '../../../model/domain/attempt.ts';

/** A script's file as a path where V8 gives a file URL, and its name as it is otherwise (`node:fs`, `evalmachine.<anonymous>`). */
export function fileOfUrl(url: string): string {
  if (!url.startsWith('file://')) return url;
  return attempt(() => fileURLToPath(url), url);
}
