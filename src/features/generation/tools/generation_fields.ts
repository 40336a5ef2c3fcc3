import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { withAliases } from '../../definitions/spellings.ts';
import type { CallContext, CallEstimate, EstimateContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { PROMPT_CHARACTERS_MAX, RESULT_BYTES_EXPECTED } from '../limits.ts';
import type { Generation } from '../types.ts';

/** @param about description of the field */
export const promptField = (about: string) =>
  withAliases(
    z.string().trim().min(1, 'must not be empty').max(PROMPT_CHARACTERS_MAX).describe(about),
    ...['words', 'text', 'description', 'instruction', 'instructions', 'edit', 'change', 'query', 'request'],
  );

/** Next step: what the file says about its origin. */
export const checkMarks = (result: string) => ({
  action: 'See its marks',
  tool: 'verify_provenance',
  why: 'Free; shows the AI marks of the file',
  params: { image: result },
});

/**
 * @throws AtelierError model_unavailable if the settings of this process differ from those of the one that
 * offered the tool
 */
export function requireModel({ generation }: Pick<Services, 'generation'>): Generation {
  if (generation) return generation;
  throw new AtelierError(
    'model_unavailable',
    'This server has no image model. You were not charged. Ask the operator to set GENERATION_PROVIDER and GENERATION_MODEL.',
  );
}

/**
 * Context for the call to the provider, which bills for the image even if the client disconnects. Such a call
 * therefore continues and is charged. Free storage is checked first, because a result that cannot be stored
 * is not charged.
 * @throws AtelierError too_much_kept, storage_full
 */
export async function contextForProvider(
  { results }: Pick<Services, 'results'>,
  call: CallContext,
): Promise<CallContext> {
  await results.requireRoom(RESULT_BYTES_EXPECTED);
  return { ...call, signal: call.deadline };
}

/** Dry run: the model, and whether the daily budget covers the call. */
export async function generationEstimate(
  services: Pick<Services, 'generation'>,
  asked: Pick<EstimateContext, 'address' | 'callerKey'>,
): Promise<CallEstimate> {
  const generation = requireModel(services);
  const refused = await generation.refusal({ address: asked.address, callerKey: asked.callerKey });
  return {
    networks: [generation.model.name],
    degraded: false,
    ...(refused && { refusal: { check: 'vision', detail: refused.message } }),
  };
}
