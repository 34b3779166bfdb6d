import type { ObserverConnection } from '../observe/postgresSessions.ts';
import { ownerAddress } from '../services/databaseOwner.ts';
import { connectionOf } from '../services/serverUrl.ts';
import type { RunDatabase } from './sharedData.ts';

/** Where the meters connect: on a server of the user's to the database of our making, if there is one, since what counts statements may be in no other. */
export function observerConnection({ address, databases }: Pick<RunDatabase, 'address' | 'databases'>): ObserverConnection {
  const own = address.external && address.mode === 'own' ? databases[0] : undefined;
  const loginOf = (name: string): { user: string; password: string } => {
    const { user, password } = ownerAddress(address, name);
    return { user, password };
  };
  return { ...connectionOf(address), database: own ?? address.database, ...(address.administers === true ? { appLogin: loginOf } : {}) };
}
