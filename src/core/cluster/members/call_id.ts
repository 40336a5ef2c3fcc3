import { randomUUID } from 'node:crypto';

/** Prefix of the ids of all calls of this process, unique to it: other servers can release its holds after its death. */
export const CALLS_OF_PROCESS = `call_${randomUUID().slice(0, 8)}`;

/** Creates the id of a call. */
export const newCallId = (): string => `${CALLS_OF_PROCESS}${randomUUID().slice(8)}`;
