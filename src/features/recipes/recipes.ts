import { createHash, randomBytes } from 'node:crypto';
import { RESULT_LIFETIME_MS } from '../../config/limits.ts';
import type { Database } from '../../core/database/types.ts';
import { AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import * as store from './store.ts';
import type { KeptPlace, Recipes, SavedRecipe } from './types.ts';

const RECIPES_PER_WALLET_MAX = 100;
/** Recipes per server, in total. */
const RECIPES_MAX = 100_000;
/** Cached step results per wallet. */
export const KEPT_STEPS_PER_WALLET_MAX = 1_000;
/** Cached step results per server; the cleanup deletes the oldest beyond it. */
const KEPT_STEPS_MAX = 100_000;
/** A longer result is not cached, and its step runs again. */
export const KEPT_STEP_CHARACTERS_MAX = 64 * 1024;
/** One hour less than the lifetime of files, so that every file of a cached result still exists. */
export const KEPT_STEP_LIFETIME_MS = RESULT_LIFETIME_MS - 3_600_000;

interface RecipesOptions {
  /** Version of this service: results of another version are not reused. */
  readonly version: string;
  readonly clock?: () => Date;
  readonly perWallet?: number;
  readonly inAll?: number;
}

/** Recipes and the cached results of their steps (`recipes.sql`). */
export function createRecipes(
  database: Database,
  {
    version,
    clock = () => new Date(),
    perWallet = RECIPES_PER_WALLET_MAX,
    inAll = RECIPES_MAX,
  }: RecipesOptions,
): Recipes {
  const placeOf = <Place extends KeptPlace>(place: Place): Place => ({
    ...place,
    key: sha256(`${version} ${place.key}`),
  });
  return {
    save: ({ wallet, title, steps }) =>
      database.transaction(async (tx) => {
        const hash = sha256(JSON.stringify(steps));
        await store.lock(tx, wallet);
        const same = await store.findSame(tx, { wallet, sha256: hash });
        if (same) return same;
        const { own, all } = await store.count(tx, wallet);
        if (own >= perWallet) throw tooMany(perWallet);
        if (all >= inAll) throw full();
        const id = `rcp_${randomBytes(16).toString('hex')}`;
        return (await store.insert(tx, { id, wallet, title, steps, sha256: hash, createdAt: clock() }))!;
      }),
    find: async (id): Promise<SavedRecipe | undefined> =>
      RECIPE_ID.test(id) ? store.find(database, id) : undefined,
    list: (wallet) => store.list(database, wallet),
    remove: (wallet, id) => store.remove(database, wallet, id),
    answered: (place) => store.answered(database, placeOf(place), clock()),
    async keepAnswer(step) {
      if (step.answer.length > KEPT_STEP_CHARACTERS_MAX) return;
      const now = clock();
      const expiresAt = new Date(now.getTime() + KEPT_STEP_LIFETIME_MS);
      await store.keepAnswer(database, { ...placeOf(step), now, expiresAt, most: KEPT_STEPS_PER_WALLET_MAX });
    },
    sweep: (now) => store.sweep(database, now, KEPT_STEPS_MAX),
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const RECIPE_ID = /^rcp_[0-9a-f]{32}$/;

const tooMany = (most: number): AtelierError =>
  invalidField(
    'steps',
    `Your wallet has ${most} saved recipes, the maximum. Delete one: DELETE /api/recipes/{id}.`,
    { code: 'too_many' },
  );

const full = (): AtelierError =>
  new AtelierError(
    'storage_full',
    'This server has reached its limit of saved recipes. Send the steps with each run.',
  );
