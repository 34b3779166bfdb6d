<?php
// The bulletin board in PHP: some of the routes of the other samples, with the same statements and the same bytes in their bodies.
declare(strict_types=1);

require __DIR__ . '/answers.php';
require __DIR__ . '/database.php';
require __DIR__ . '/ads.php';
require __DIR__ . '/reviews.php';
require __DIR__ . '/search.php';

/** `:id` is a path segment of any text; what it may be is the handler's business. */
const ROUTES = [
    ['#^/hello$#D', ['GET' => 'hello']],
    ['#^/health$#D', ['GET' => 'health']],
    ['#^/ads/([^/]+)$#D', ['GET' => 'getAd']],
    ['#^/report$#D', ['GET' => 'getReport']],
    ['#^/search$#D', ['GET' => 'getSearch']],
    ['#^/reviews$#D', ['GET' => 'listReviews', 'POST' => 'postReview']],
];

try {
    answer($_SERVER['REQUEST_METHOD'], explode('?', $_SERVER['REQUEST_URI'], 2)[0]);
} catch (RequestError $error) {
    sendJson($error->status, ['error' => $error->getMessage()], $error->headers);
} catch (DatabaseUnavailable) {
    sendJson(503, ['error' => 'the database is not available']);
} catch (Throwable $error) {
    error_log((string) $error);
    sendJson(500, ['error' => 'internal error']);
}

function answer(string $method, string $path): void
{
    foreach (ROUTES as [$pattern, $methods]) {
        if (preg_match($pattern, $path, $match) !== 1) {
            continue;
        }
        if (!isset($methods[$method])) {
            throw new RequestError(405, 'method not allowed', ['Allow' => implode(', ', array_keys($methods))]);
        }
        $methods[$method]($match[1] ?? '');
        return;
    }
    throw new RequestError(404, 'not found');
}

function hello(): void
{
    send(200, 'text/plain', 'Hello, world!');
}

function health(): void
{
    query('SELECT 1');
    sendJson(200, ['status' => 'ok']);
}
