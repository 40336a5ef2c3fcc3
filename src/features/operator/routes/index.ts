import type { AnyOperation } from '../../definitions/operation.ts';
import { listTokens, makeToken, revokeKey } from './keys.ts';
import { listEntries, showLog, showWallet } from './look.ts';
import { blockWallet, endThing, hideEntry, unblockWallet, unhideEntry } from './moderate.ts';
import { grantCredits, refundCall } from './money.ts';
import { fetchOffer, listFetches } from './upkeep.ts';

/** What an operator sees and does by hand. `atelier admin` has a command for each, and OpenAPI a tag. */
export const operatorOperations: readonly AnyOperation[] = [
  showWallet,
  grantCredits,
  refundCall,
  blockWallet,
  unblockWallet,
  listEntries,
  hideEntry,
  unhideEntry,
  endThing,
  fetchOffer,
  listFetches,
  revokeKey,
  makeToken,
  listTokens,
  showLog,
];
