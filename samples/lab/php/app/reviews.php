<?php
declare(strict_types=1);

const INSERT_REVIEW = <<<'SQL'
    INSERT INTO reviews (rating, text)
    VALUES ($1, $2)
    RETURNING id, rating, text, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"
    SQL;

const NEWEST_REVIEWS = <<<'SQL'
    SELECT id, rating, text, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"
    FROM reviews
    ORDER BY id DESC
    LIMIT $1
    SQL;

function listReviews(): void
{
    sendJson(200, query(NEWEST_REVIEWS, [numberIn('limit', 1, 100, 10)]));
}

function postReview(): void
{
    $body = readJsonObject();
    $rating = integerIn($body, 'rating', 1, 5);
    $text = textIn($body, 'text', 1, 2000);
    [$review] = query(INSERT_REVIEW, [$rating, $text]);
    sendJson(201, $review, ['Location' => "/reviews/{$review['id']}"]);
}
