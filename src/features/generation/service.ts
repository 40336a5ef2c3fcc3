import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { Reserve } from '../../core/request_scope/request_scope.ts';
import { pictureHeader } from '../../core/workers/image_header.ts';
import type { SourceImage } from '../../core/workers/types.ts';
import type { VisionBudget } from '../enrichment/vision_budget/vision_budget.ts';
import { RESPONSE_BYTES_MAX } from './limits.ts';
import { type ImageProvider, imageModelSettings, PROVIDER_NAMES } from './settings.ts';
import type { Generation } from './types.ts';

interface GenerationDeps {
  readonly budget: VisionBudget;
  readonly reserve: Reserve;
  readonly logger: Pick<BaseLogger, 'info' | 'warn'>;
}

const WORDING = {
  name: 'The image model',
  request: 'make this image',
  instead: 'You were not charged.',
};

/** Margin by which a budget reservation outlives its request. */
const SETTLING_MS = 15_000;
/** Time reserved for marking and storing the image after the provider has responded. */
const FINISHING_MS = 5000;
/** Formats that can be watermarked. */
const FORMATS: readonly string[] = ['png', 'jpeg', 'webp'];

/**
 * Creates the configured image model; undefined without one.
 * @throws Error naming the missing setting
 */
export function openGeneration(config: Config, deps: GenerationDeps): Generation | undefined {
  const settings = imageModelSettings(config);
  return settings && createGeneration(config, settings, deps);
}

function createGeneration(
  config: Config,
  { provider, name }: { provider: ImageProvider; name: string },
  { budget, reserve, logger }: GenerationDeps,
): Generation {
  const most = { tokens: 0, usd: config.GENERATION_USD ?? 0 };
  // Provider libraries are loaded with the first image, to keep the start fast.
  const load = once(async () => {
    const [{ askImageModel }, failures, { openImageModel }] = await Promise.all([
      import('./ask_image_model.ts'),
      import('../../core/providers/provider_failure.ts'),
      import('./open_image_model.ts'),
    ]);
    return { askImageModel, ...failures, model: await openImageModel(config, provider, name) };
  });
  return {
    model: { name, provider: PROVIDER_NAMES[provider] },
    refusal: (by) => budget.refusal(most, by),
    async make(request, { signal, deadlineMs, ...by }) {
      const { askImageModel, model, providerFailure, hasCostNothing, reasonOf, UnexpectedFormat, Declined } =
        await load();
      const timeoutMs = Math.max(1, Math.min(config.GENERATION_TIMEOUT_MS, deadlineMs - FINISHING_MS));
      await reserve(RESPONSE_BYTES_MAX, { isArriving: true });
      const reservation = await budget.reserve(most, by, timeoutMs + SETTLING_MS);
      const deadline = AbortSignal.timeout(timeoutMs);
      const asking = { provider, model, quality: config.GENERATION_QUALITY };
      let cost = most;
      try {
        const bytes = await askImageModel(request, {
          ...asking,
          signal: AbortSignal.any([signal, deadline]),
        });
        logger.info({ model: name, usd: cost.usd }, 'image model request completed');
        return imageOf(bytes, () => new UnexpectedFormat());
      } catch (error) {
        if (hasCostNothing(error)) cost = { tokens: 0, usd: 0 };
        logger.warn({ model: name, usd: cost.usd, reason: reasonOf(error) }, 'image model request failed');
        if (error instanceof Declined) throw declined();
        if (deadline.aborted && !signal.aborted) throw late(timeoutMs);
        throw providerFailure(error, WORDING, { isLate: false, isLeft: signal.aborted });
      } finally {
        await reservation.settle(cost);
      }
    },
  };
}

/** @throws the error that `otherwise` creates, unless the bytes are an image that can be watermarked */
function imageOf(bytes: Uint8Array, otherwise: () => Error): SourceImage {
  try {
    const header = pictureHeader(bytes);
    if (FORMATS.includes(header.format)) return { bytes, ...header };
  } catch {
    // Falls through to the error below.
  }
  throw otherwise();
}

const declined = (): AtelierError =>
  new AtelierError(
    'prompt_declined',
    'The image model declined this request under its safety rules. Rephrase the description, or describe something else. You were not charged.',
  );

/**
 * Not `timed_out`: a waiting call would then become a job, and the provider would be called, and paid, a
 * second time.
 */
const late = (timeoutMs: number): AtelierError =>
  new AtelierError(
    'upstream_failed',
    `The image model did not respond within ${Math.round(timeoutMs / 1000)} s. You were not charged. Send the call with async: true, which can allow more time.`,
  );

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => {
    started ??= work().catch((error) => {
      started = undefined;
      throw error;
    });
    return started;
  };
}
