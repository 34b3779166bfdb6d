/** Sessions of PostgreSQL that no pool may count on: those kept for administrators (`superuser_reserved_connections`, 3), and what Benchside itself opens. */
export const reservedSessions = 8;
