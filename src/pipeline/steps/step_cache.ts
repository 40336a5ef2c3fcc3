import { createHash } from 'node:crypto';
import { imageFieldsOf } from '../../features/definitions/fields.ts';
import { imagesIn, isSourceImage } from '../../features/definitions/images_in.ts';
import { makesFile } from '../../features/definitions/is_read_only.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import type { PipelineContext } from '../types.ts';

/** A cached result of a step. */
export interface CachedStep {
  readonly output: Record<string, unknown>;
  readonly warnings: readonly string[];
  /** Price in credits. */
  readonly credits: number;
}

export interface FoundStep extends CachedStep {
  /** Made by this call before an interruption, and not paid yet. */
  readonly isUnpaid: boolean;
}

/** The step and its wallet: everything that determines the result. */
export interface StepCacheKey {
  readonly wallet: string;
  /** sha256 of the tool, its parameters and the bytes of its images. */
  readonly key: string;
  readonly hold?: string | undefined;
}

/**
 * The cache key of this call. Only files made from images are cached: a lookup may change over time, and a tool with side effects
 * must run again.
 * @param loaded its input with images
 * @returns undefined where an image is not loaded, or the wallet is not registered
 */
export async function cacheKeyOf(
  context: PipelineContext,
  tool: AnyTool,
  loaded: Record<string, unknown>,
  { wallet, hold }: { wallet: string | undefined; hold?: string | undefined },
): Promise<StepCacheKey | undefined> {
  const pictures = imagesIn(imageFieldsOf(tool.input.shape), loaded);
  const isAtHand = pictures.length > 0 && pictures.every(({ image }) => isSourceImage(image));
  if (wallet === undefined || tool.effects.destructive || !makesFile(tool) || !isAtHand) return undefined;
  if (!(await context.services.wallets.isRegistered(wallet))) return undefined;
  const fields = Object.keys(loaded).sort();
  const parts = fields.map((field) => [field, loaded[field]]);
  const text = JSON.stringify([tool.name, parts], (_, value) =>
    isSourceImage(value) ? `${sha256(value.bytes)} ${value.fileName ?? ''}` : value,
  );
  return { wallet, key: sha256(text), hold };
}

/** An earlier result of the same step for the wallet, where its files still exist. */
export async function findCachedStep(
  context: PipelineContext,
  cacheKey: StepCacheKey | undefined,
): Promise<FoundStep | undefined> {
  if (!cacheKey) return undefined;
  const { recipes, results } = context.services;
  const found = await recipes.answered(cacheKey);
  if (!found) return undefined;
  const kept = JSON.parse(found.answer) as CachedStep;
  const id = String(kept.output.result).replace(/^result:/, '');
  const isThere = await results.stream(id).then(
    () => true,
    () => false,
  );
  return isThere ? { ...kept, isUnpaid: found.isUnpaid } : undefined;
}

export async function keepAnswer(
  context: PipelineContext,
  tool: AnyTool,
  cacheKey: StepCacheKey | undefined,
  answer: CachedStep,
): Promise<void> {
  if (!cacheKey) return;
  // Side effects and paid results are dropped with the hold if that is released; free computed results stay.
  const isFree = answer.credits === 0 && tool.effects.readOnly;
  await context.services.recipes.keepAnswer({
    ...cacheKey,
    hold: isFree ? undefined : cacheKey.hold,
    answer: JSON.stringify(answer),
  });
}

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
