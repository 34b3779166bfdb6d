/** Sends a value as JSON. */
export function sendJson(response, status, value, headers) {
  send(response, status, 'application/json', JSON.stringify(value), headers);
}

/** Sends a text as it is. */
export function send(response, status, contentType, body, headers) {
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body), ...headers });
  response.end(body);
}
