import { integerIn, readJsonObject, textIn } from './jsonBody.mjs';
import { MAX_ID } from './parameters.mjs';

const MAX_TITLE_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 10_000;
const MAX_PRICE_CENTS = 1_000_000_000;

/**
 * Reads the advertisement in a request's body. Keys that are not known are ignored.
 * @throws {RequestError} 413 when the body is too large, 400 when it is not what it should be
 */
export async function readNewAd(request) {
  const body = await readJsonObject(request);
  return {
    title: textIn(body, 'title', 1, MAX_TITLE_LENGTH),
    description: textIn(body, 'description', 0, MAX_DESCRIPTION_LENGTH),
    categoryId: integerIn(body, 'categoryId', 1, MAX_ID),
    sellerId: integerIn(body, 'sellerId', 1, MAX_ID),
    priceCents: integerIn(body, 'priceCents', 0, MAX_PRICE_CENTS),
  };
}
