/** No connection could be had in time, or it was lost: the caller may try again later. */
export class DatabaseUnavailable extends Error {}

/** The category or the seller that a new advertisement names does not exist. */
export class UnknownReference extends Error {}

const FOREIGN_KEY_VIOLATION = '23503';
/** Classes of SQLSTATE that speak of the connection or the server and not of the statement: connection, resources, operator intervention. */
const UNAVAILABLE_CLASSES = ['08', '53', '57'];

/** What an error of a statement means to the service; others are given back as they are. */
export function meaningOf(error) {
  const code = sqlStateOf(error);
  // An error without SQLSTATE comes from the connection, which is then not used again.
  if (code === undefined || UNAVAILABLE_CLASSES.includes(code.slice(0, 2))) return new DatabaseUnavailable(error.message, { cause: error });
  if (code === FOREIGN_KEY_VIOLATION) return new UnknownReference(error.message, { cause: error });
  return error;
}

/** Five characters of a known class, which no error code of the system has. Some libraries wrap the driver's error in their own. */
export function sqlStateOf({ code, parent }) {
  if (/^(?:[0-9][0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/.test(code)) return code;
  return parent === undefined ? undefined : sqlStateOf(parent);
}
