<?php
declare(strict_types=1);

/** A regular expression over four megabytes of text. */
function getSearch(): void
{
    $word = parameter('word');
    $word = $word === '' ? 'lantern' : $word;
    if (preg_match('/^[a-z]{1,20}$/D', $word) !== 1) {
        throw new RequestError(400, 'word must be 1 to 20 letters from a to z');
    }
    // Nothing of a process outlives a request but its connection: the text is read for each one, from the page cache.
    $text = file_get_contents(__DIR__ . '/search.txt');
    [$matches, $first, $offset] = [0, -1, 0];
    while (($found = preg_match("/\\b{$word}[a-z]*[ ]+[a-z]+ing\\b/", $text, $match, PREG_OFFSET_CAPTURE, $offset)) === 1) {
        [[$matched, $at]] = $match;
        $first = $matches === 0 ? $at : $first;
        $matches += 1;
        $offset = $at + strlen($matched);
    }
    if ($found === false) {
        throw new Exception(preg_last_error_msg());
    }
    sendJson(200, ['word' => $word, 'matches' => $matches, 'first' => $first]);
}
