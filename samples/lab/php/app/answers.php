<?php
declare(strict_types=1);

const MAX_ID = 2147483647;
const MAX_BODY_BYTES = 64 * 1024;

/** A request that cannot be answered as asked: the status, the text for the client, and further headers of the answer. */
final class RequestError extends Exception
{
    public function __construct(public readonly int $status, string $message, public readonly array $headers = [])
    {
        parent::__construct($message);
    }
}

function sendJson(int $status, mixed $value, array $headers = []): void
{
    $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS | JSON_THROW_ON_ERROR;
    send($status, 'application/json', json_encode($value, $flags), $headers);
}

function send(int $status, string $contentType, string $body, array $headers = []): void
{
    http_response_code($status);
    header("Content-Type: $contentType");
    header('Content-Length: ' . strlen($body));
    foreach ($headers as $name => $value) {
        header("$name: $value");
    }
    echo $body;
}

function idOf(string $segment): int
{
    return wholeNumber($segment, 1, MAX_ID) ?? throw notInRange('id', 1, MAX_ID);
}

/** The number that a query parameter carries, or `$preset` when it is absent or empty. */
function numberIn(string $name, int $min, int $max, int $preset): int
{
    $text = parameter($name);
    return $text === '' ? $preset : (wholeNumber($text, $min, $max) ?? throw notInRange($name, $min, $max));
}

/** The first value of a query parameter as it stands, empty when there is none: all of them are plain numbers and words, so nothing is decoded. */
function parameter(string $name): string
{
    foreach (explode('&', $_SERVER['QUERY_STRING'] ?? '') as $part) {
        [$key, $value] = explode('=', $part, 2) + [1 => ''];
        if ($key === $name) {
            return $value;
        }
    }
    return '';
}

function notInRange(string $name, int $min, int $max): RequestError
{
    return new RequestError(400, "$name must be a whole number from $min to $max");
}

function wholeNumber(string $text, int $min, int $max): ?int
{
    if (preg_match('/^(0|[1-9][0-9]{0,9})$/D', $text) !== 1) {
        return null;
    }
    $value = (int) $text;
    return $value >= $min && $value <= $max ? $value : null;
}

/** Reads the JSON object in the request's body. Unlike the other samples it takes half of a surrogate pair for bad JSON and not for a bad text. */
function readJsonObject(): stdClass
{
    $tooLarge = new RequestError(413, 'the body must not be larger than ' . MAX_BODY_BYTES . ' bytes', ['Connection' => 'close']);
    if ((int) ($_SERVER['CONTENT_LENGTH'] ?? 0) > 1024 * 1024) {
        throw $tooLarge;
    }
    $body = file_get_contents('php://input', length: 1024 * 1024 + 1);
    if (strlen($body) > MAX_BODY_BYTES) {
        throw strlen($body) > 1024 * 1024 ? $tooLarge : new RequestError(413, $tooLarge->getMessage());
    }
    try {
        $value = json_decode($body, flags: JSON_THROW_ON_ERROR);
    } catch (JsonException) {
        throw new RequestError(400, 'the body must be JSON in UTF-8');
    }
    return $value instanceof stdClass ? $value : throw new RequestError(400, 'the body must be a JSON object');
}

/** A text of the body. Lengths are in UTF-16 units, as in the other samples. PostgreSQL cannot store NUL. */
function textIn(stdClass $body, string $name, int $min, int $max): string
{
    $value = $body->$name ?? null;
    if (is_string($value) && !str_contains($value, "\0")) {
        $characters = strlen(preg_replace('/[\x80-\xBF]/', '', $value));
        $length = $characters + preg_match_all('/[\xF0-\xF7]/', $value);
        if ($length >= $min && $length <= $max) {
            return $value;
        }
    }
    throw new RequestError(400, "$name must be a text of $min to $max characters");
}

function integerIn(stdClass $body, string $name, int $min, int $max): int
{
    $value = $body->$name ?? null;
    $isWhole = is_int($value) || (is_float($value) && floor($value) === $value);
    return $isWhole && $value >= $min && $value <= $max ? (int) $value : throw notInRange($name, $min, $max);
}
