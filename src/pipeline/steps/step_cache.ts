import { createHash } from 'node:crypto';
import { imageFieldsOf } from '../../tools/fields.ts';
import { makesFile } from '../../tools/is_read_only.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { CallKit } from '../types.ts';
import { isPicture } from '../execute.ts';

/** The answer of a step, as it is kept for the next time. */
export interface KeptAnswer {
  readonly output: Record<string, unknown>;
  readonly warnings: readonly string[];
  /** What it cost. */
  readonly credits: number;
}

export interface FoundAnswer extends KeptAnswer {
  /** Made by this very call before it was interrupted, and not paid for yet. */
  readonly isUnpaid: boolean;
}

/** Which step of whom: everything that decides what it answers. */
export interface KeptPlace {
  readonly wallet: string;
  /** sha256 of the tool, its parameters and the bytes of its pictures. */
  readonly key: string;
  readonly hold?: string | undefined;
}

/**
 * Where the answer of this call is kept. Only files made out of pictures are: whatever looks something up may find something else
 * the next time, and whatever stores or deletes has to do so again.
 * @param loaded its input with pictures; undefined is answered where one of them is not at hand, or the wallet is nobody's
 */
export async function placeOf(
  kit: CallKit,
  tool: AnyTool,
  loaded: Record<string, unknown>,
  { wallet, hold }: { wallet: string | undefined; hold?: string | undefined },
): Promise<KeptPlace | undefined> {
  const pictures = imageFieldsOf(tool.input.shape).filter((field) => loaded[field] !== undefined);
  const isAtHand = pictures.length > 0 && pictures.every((field) => isPicture(loaded[field]));
  if (wallet === undefined || tool.effects.destructive || !makesFile(tool) || !isAtHand) return undefined;
  if (!(await kit.services.wallets.isRegistered(wallet))) return undefined;
  const fields = Object.keys(loaded).sort();
  const parts = fields.map((field) => {
    const value = loaded[field];
    return [field, isPicture(value) ? sha256(value.bytes) : value];
  });
  return { wallet, key: sha256(JSON.stringify([tool.name, parts])), hold };
}

/** What the wallet was answered to this very step before, where its files are still there. */
export async function findAnswer(
  kit: CallKit,
  place: KeptPlace | undefined,
): Promise<FoundAnswer | undefined> {
  if (!place) return undefined;
  const { recipes, results } = kit.services;
  const found = await recipes.answered(place);
  if (!found) return undefined;
  const kept = JSON.parse(found.answer) as KeptAnswer;
  const id = String(kept.output.result).replace(/^result:/, '');
  const isThere = await results.stream(id).then(
    () => true,
    () => false,
  );
  return isThere ? { ...kept, isUnpaid: found.isUnpaid } : undefined;
}

export async function keepAnswer(
  kit: CallKit,
  tool: AnyTool,
  place: KeptPlace | undefined,
  answer: KeptAnswer,
): Promise<void> {
  if (!place) return;
  // What was changed or costs goes with the hold should that be given back; what was only computed for nothing stays.
  const isFree = answer.credits === 0 && tool.effects.readOnly;
  await kit.services.recipes.keepAnswer({
    ...place,
    hold: isFree ? undefined : place.hold,
    answer: JSON.stringify(answer),
  });
}

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
