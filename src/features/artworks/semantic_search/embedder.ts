import { type EmbeddingModel, embedMany } from 'ai';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { EMBEDDING_DIMENSIONS_MAX } from '../limits.ts';

/** Turns texts into vectors of equal length. */
export interface Embedder {
  /** As the provider spells it. */
  readonly name: string;
  /**
   * @throws AtelierError upstream_failed, timed_out, whose messages never quote the texts or the provider's
   * response
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

interface Settings {
  readonly model: EmbeddingModel;
  readonly name: string;
  readonly timeoutMs: number;
}

// The AI SDK would otherwise print warnings about provider settings.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** Creates an embedder that calls a model through the provider library. */
export function createEmbedder({ model, name, timeoutMs }: Settings): Embedder {
  return {
    name,
    async embed(texts, signal) {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const { embeddings } = await embedMany({
          model,
          values: [...texts],
          maxRetries: 1,
          abortSignal: AbortSignal.any([signal, timeout]),
        });
        return checkEmbeddings(embeddings, texts.length);
      } catch (error) {
        if (error instanceof AtelierError) throw error;
        const late = timeout.aborted || signal.aborted;
        throw new AtelierError(
          late ? 'timed_out' : 'upstream_failed',
          `The embedding model ${late ? 'did not respond in time' : 'did not respond'}.`,
          { cause: error },
        );
      }
    },
  };
}

function checkEmbeddings(embeddings: readonly (readonly number[])[], count: number): Float32Array[] {
  const [first] = embeddings;
  const isRight =
    embeddings.length === count &&
    first !== undefined &&
    first.length > 0 &&
    first.length <= EMBEDDING_DIMENSIONS_MAX &&
    embeddings.every((one) => one.length === first.length && one.every(Number.isFinite));
  if (isRight) return embeddings.map((one) => Float32Array.from(one));
  throw new AtelierError('upstream_failed', 'The embedding model returned an invalid response.');
}
