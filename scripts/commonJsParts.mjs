// Splits a bundle for Node, so that its start loads what it needs and the rest comes with the first use: schemas, the connection to the engine,
// commands. esbuild splits ES modules only, and an extension is CommonJS: each part is converted after that.
import { transform } from 'esbuild';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A plugin for esbuild; the entry becomes `dist/<name>.cjs`, its parts `dist/<name>.<hash>.cjs`. A source map, where one is asked for, is inline. */
export const commonJsParts = (name) => ({
  name: 'common-js-parts',
  setup(build) {
    const { minify, sourcemap = false } = build.initialOptions;
    Object.assign(build.initialOptions, {
      format: 'esm',
      splitting: true,
      write: false,
      outdir: 'dist',
      entryNames: name,
      chunkNames: `${name}.[hash]`,
      outExtension: { '.js': '.cjs' },
    });
    build.onEnd(async ({ errors, outputFiles }) => {
      if (errors.length > 0 || outputFiles === undefined) return;
      const folder = path.join(build.initialOptions.absWorkingDir ?? process.cwd(), 'dist');
      // Parts first: the time of the entry shows if the bundle is up to date.
      const files = [...outputFiles].sort((a, b) => path.basename(b.path).length - path.basename(a.path).length);
      for (const file of files) {
        const { code } = await transform(file.text, {
          format: 'cjs',
          platform: 'node',
          target: 'node20',
          minify,
          sourcemap,
          supported: { 'dynamic-import': false },
        });
        writeFileSync(path.join(folder, path.basename(file.path)), code);
      }
      const kept = new Set(files.map((file) => path.basename(file.path)));
      for (const other of readdirSync(folder)) {
        if (new RegExp(`^${name}\\.[A-Z0-9]{8}\\.cjs$`).test(other) && !kept.has(other)) rmSync(path.join(folder, other));
      }
    });
  },
});
