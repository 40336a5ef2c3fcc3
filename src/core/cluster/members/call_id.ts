import { randomUUID } from 'node:crypto';

/** What the ids of all calls of this process begin with, and of no other: so what is left of them is known once it has died. */
export const CALLS_OF_PROCESS = `call_${randomUUID().slice(0, 8)}`;

/** The id of one call. */
export const newCallId = (): string => `${CALLS_OF_PROCESS}${randomUUID().slice(8)}`;
