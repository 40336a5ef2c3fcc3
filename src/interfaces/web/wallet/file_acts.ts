import { invalidField } from '../../../core/errors/atelier_error.ts';
import { listTrash, purgeVersion, restoreAsset } from '../../../features/assets/routes/earlier.ts';
import { deleteAsset } from '../../../features/assets/tools/delete_asset.ts';
import { ask, askTool } from '../ask.ts';
import type { Visit } from '../types.ts';
import type { Acts } from './form_acts.ts';
import { EMPTIED_AT_ONCE_MAX } from './limits.ts';

/** Form actions of the file pages. */
export const FILE_ACTS: Acts = {
  delete: async (visit, field) => {
    await askTool(visit, deleteAsset, { wallet: visit.visitor.wallet, key: field('key') });
    return { said: 'deleted' };
  },
  restore: async (visit, field) => {
    await ask(visit, restoreAsset, { wallet: visit.visitor.wallet, id: field('id') });
    return { said: 'restored' };
  },
  forget: async (visit, field) => {
    requireSure(field('sure'));
    await ask(visit, purgeVersion, { wallet: visit.visitor.wallet, id: field('id') });
    return { said: 'forgotten' };
  },
  empty: async (visit, field) => {
    requireSure(field('sure'));
    return { said: (await emptyTrash(visit)) ? 'emptied' : 'more_trash' };
  },
};

function requireSure(text: string): void {
  if (text !== 'yes')
    throw invalidField('sure', 'Nothing was deleted. Confirm the permanent deletion and try again.');
}

/** Returns whether the trash is empty. */
async function emptyTrash(visit: Visit): Promise<boolean> {
  const { wallet } = visit.visitor;
  const { trash, next } = await ask(visit, listTrash, { wallet, limit: EMPTIED_AT_ONCE_MAX });
  for (const { id } of trash) await ask(visit, purgeVersion, { wallet, id });
  return next === null;
}
