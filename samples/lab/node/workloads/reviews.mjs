import { sendJson } from '../../../node/answers.mjs';
import { integerIn, readJsonObject, textIn } from '../../../node/jsonBody.mjs';
import { numberIn } from '../../../node/parameters.mjs';

const insertReview = {
  name: 'insert-review',
  text: `
    INSERT INTO reviews (rating, text)
    VALUES ($1, $2)
    RETURNING id, rating, text, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"`,
};

/** Ids are given in the order of arrival, so that the primary key finds the newest. */
const newestReviews = {
  name: 'newest-reviews',
  text: `
    SELECT id, rating, text, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"
    FROM reviews
    ORDER BY id DESC
    LIMIT $1`,
};

export async function postReview({ request, response, database }) {
  const body = await readJsonObject(request);
  const rating = integerIn(body, 'rating', 1, 5);
  const text = textIn(body, 'text', 1, 2000);
  const [review] = await database.query(insertReview, [rating, text]);
  sendJson(response, 201, review, { Location: `/reviews/${review.id}` });
}

export async function listReviews({ response, database, query }) {
  const limit = numberIn(query, 'limit', 1, 100, 10);
  sendJson(response, 200, await database.query(newestReviews, [limit]));
}
