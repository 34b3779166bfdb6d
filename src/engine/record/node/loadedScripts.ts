import type { InspectorClient } from './inspectorClient.ts';
import type { LoadedScript } from './sourceMaps.ts';

const maxScripts = 400;
const maxTextChars = 128 * 1024 * 1024;
const timeoutMs = 10_000;

/** A script that shows in a recording; `weight` decides which are used when there are too many. */
export type WantedScripts = ReadonlyMap<string, number>;

/**
 * The text and the source map's address of scripts, by URL, as the process has them: a file on the disk may have changed since it was loaded,
 * or never have been what runs (TypeScript that is compiled on the way in). Only files count, and the heaviest first.
 */
export async function loadScripts(client: InspectorClient, wanted: WantedScripts): Promise<Map<string, LoadedScript>> {
  const chosen = [...wanted].sort((a, b) => b[1] - a[1]).slice(0, maxScripts);
  const names = new Set(chosen.map(([url]) => url));
  const parsed = new Map<string, { scriptId: string; sourceMapUrl: string }>();
  const stopListening = client.on('Debugger.scriptParsed', ({ url, scriptId, sourceMapURL }) => {
    if (typeof url !== 'string' || typeof scriptId !== 'string' || !names.has(url)) return;
    parsed.set(url, { scriptId, sourceMapUrl: typeof sourceMapURL === 'string' ? sourceMapURL : '' });
  });
  const scripts = new Map<string, LoadedScript>();
  try {
    // It announces every script before it answers.
    await client.send('Debugger.enable', {}, timeoutMs);
    let chars = 0;
    for (const [url] of chosen) {
      const script = parsed.get(url);
      if (script === undefined) continue;
      const { scriptSource } = await client.send('Debugger.getScriptSource', { scriptId: script.scriptId }, timeoutMs);
      if (typeof scriptSource !== 'string') continue;
      chars += scriptSource.length;
      if (chars > maxTextChars) break;
      scripts.set(url, { text: scriptSource, sourceMapUrl: script.sourceMapUrl });
    }
  } finally {
    stopListening();
    await client.send('Debugger.disable').catch(() => undefined);
  }
  return scripts;
}
