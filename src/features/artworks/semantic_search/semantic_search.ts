import type { Config } from '../../../config/config.ts';
import type { Database } from '../../../core/database/types.ts';
import { EMBEDDING_TIMEOUT_MS } from '../limits.ts';
import type { Meaning } from './meaning.ts';
import type { VectorSearchOf } from './types.ts';

/** The endpoint for embeddings and its model. @throws Error naming the setting that is missing */
export function embeddingSettings({ EMBEDDINGS_URL: baseURL, EMBEDDINGS_MODEL: name }: Config) {
  if (baseURL === undefined) return undefined;
  if (!name) throw new Error('EMBEDDINGS_URL needs EMBEDDINGS_MODEL, the name of the model.');
  return { baseURL, name };
}

/**
 * Search by meaning, where the settings name an endpoint. Provider libraries are loaded only then.
 * @throws Error naming the setting that is missing
 */
export async function openMeaning(
  config: Config,
  { database, vectorsOf }: { database: Database; vectorsOf: VectorSearchOf },
): Promise<Meaning | undefined> {
  const settings = embeddingSettings(config);
  if (settings === undefined) return undefined;
  const { baseURL, name } = settings;
  const { EMBEDDINGS_API_KEY: apiKey } = config;
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const { createEmbedder } = await import('./embedder.ts');
  const { createMeaning } = await import('./meaning.ts');
  const provider = createOpenAICompatible({ name: 'embeddings', baseURL, ...(apiKey && { apiKey }) });
  const model = provider.embeddingModel(name);
  const embedder = createEmbedder({ model, name, timeoutMs: EMBEDDING_TIMEOUT_MS });
  return createMeaning({ database, embedder, vectorsOf });
}
