export type LostKind = 'refused' | 'reset' | 'timeout' | 'other';

/** The kind of a socket's error, or of one of undici's. */
export function lostKind(error: NodeJS.ErrnoException): LostKind {
  switch (error.code) {
    case 'ECONNREFUSED':
      return 'refused';
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
    // The server closed: before it answered, or in the middle of an answer whose length it had declared.
    case 'UND_ERR_SOCKET':
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return 'reset';
    case 'ETIMEDOUT':
      return 'timeout';
    default:
      return 'other';
  }
}
