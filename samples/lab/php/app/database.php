<?php
declare(strict_types=1);

/** No connection could be had, or it was lost: the caller may try again later. */
final class DatabaseUnavailable extends Exception
{
}

/** Types of PostgreSQL that are numbers in JSON: int8, int2 and int4. */
const INTEGER_TYPES = [20, 21, 23];

/**
 * Runs a statement over the connection that this process of the server keeps for itself: there are as many as processes. Rows carry the names and
 * the order of the JSON that is sent.
 * @return list<array<string, int|string|null>>
 */
function query(string $statement, array $values = []): array
{
    $connection = @pg_pconnect((string) getenv('DATABASE_URL'));
    if ($connection === false) {
        throw new DatabaseUnavailable();
    }
    // The first answer tells that a kept connection was lost meanwhile, as after a restart of the server; a new one is had by asking again.
    $result = @pg_query_params($connection, $statement, $values);
    if ($result === false) {
        throw pg_connection_status($connection) === PGSQL_CONNECTION_OK ? new Exception(pg_last_error($connection)) : new DatabaseUnavailable();
    }
    $integers = [];
    for ($i = 0; $i < pg_num_fields($result); $i += 1) {
        if (in_array(pg_field_type_oid($result, $i), INTEGER_TYPES, true)) {
            $integers[] = pg_field_name($result, $i);
        }
    }
    $rows = pg_fetch_all($result);
    foreach ($rows as &$row) {
        foreach ($integers as $name) {
            $row[$name] = $row[$name] === null ? null : (int) $row[$name];
        }
    }
    return $rows;
}
