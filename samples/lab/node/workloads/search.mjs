import { sendJson } from '../../../node/answers.mjs';
import { parameter } from '../../../node/parameters.mjs';
import { RequestError } from '../../../node/requestError.mjs';

/** A regular expression over four megabytes of text. */
export async function getSearch({ response, query, services }) {
  const word = parameter(query, 'word') || 'lantern';
  if (!/^[a-z]{1,20}$/.test(word)) throw new RequestError(400, 'word must be 1 to 20 letters from a to z');
  sendJson(response, 200, await services.search.search(word));
}
