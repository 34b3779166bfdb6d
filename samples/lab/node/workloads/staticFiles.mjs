import { open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { numberIn } from '../../../node/parameters.mjs';
import { RequestError } from '../../../node/requestError.mjs';

const contentTypes = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Plain names only: nothing is decoded, and neither “..” nor a hidden file can be named. */
const SERVED_NAME = /^(?:[A-Za-z0-9_-]+\/)*[A-Za-z0-9_-]+\.(?:css|jpg|js|svg)$/;

export async function getStaticFile({ response, services, segment }) {
  if (!SERVED_NAME.test(segment)) throw new RequestError(404, 'not found');
  await sendFile(response, path.join(services.staticDir, segment));
}

/** The page of many files, or of few. */
export async function getPage({ response, services, query }) {
  const bundled = numberIn(query, 'bundle', 0, 1, 0) === 1;
  await sendFile(response, path.join(services.staticDir, bundled ? 'page-bundle.html' : 'page.html'));
}

async function sendFile(response, file) {
  const handle = await open(file).catch(() => undefined);
  const stat = await handle?.stat();
  if (!stat?.isFile()) {
    await handle?.close();
    throw new RequestError(404, 'not found');
  }
  response.writeHead(200, {
    'Content-Type': contentTypes[path.extname(file).slice(1)],
    'Content-Length': stat.size,
    'Cache-Control': 'no-store',
  });
  // The stream closes the file. A client that went away is no error.
  await pipeline(handle.createReadStream(), response).catch((error) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}
