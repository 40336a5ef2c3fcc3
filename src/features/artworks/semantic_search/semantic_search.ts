import type { Config } from '../../../config/config.ts';
import type { Database } from '../../../core/database/types.ts';
import { EMBEDDING_TIMEOUT_MS } from '../limits.ts';
import type { TextEmbeddings } from './text_embeddings.ts';
import type { VectorSearchOf } from './types.ts';

/**
 * The embedding endpoint and its model.
 * @throws Error naming the missing setting
 */
export function embeddingSettings({ EMBEDDINGS_URL: baseURL, EMBEDDINGS_MODEL: name }: Config) {
  if (baseURL === undefined) return undefined;
  if (!name) throw new Error('EMBEDDINGS_URL needs EMBEDDINGS_MODEL, the name of the model.');
  return { baseURL, name };
}

/**
 * Creates the semantic search, if an endpoint is configured. Provider libraries are loaded only then.
 * @throws Error naming the missing setting
 */
export async function openTextEmbeddings(
  config: Config,
  { database, vectorsOf }: { database: Database; vectorsOf: VectorSearchOf },
): Promise<TextEmbeddings | undefined> {
  const settings = embeddingSettings(config);
  if (settings === undefined) return undefined;
  const { baseURL, name } = settings;
  const { EMBEDDINGS_API_KEY: apiKey } = config;
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const { createEmbedder } = await import('./embedder.ts');
  const { createTextEmbeddings } = await import('./text_embeddings.ts');
  const provider = createOpenAICompatible({ name: 'embeddings', baseURL, ...(apiKey && { apiKey }) });
  const model = provider.embeddingModel(name);
  const embedder = createEmbedder({ model, name, timeoutMs: EMBEDDING_TIMEOUT_MS });
  return createTextEmbeddings({ database, embedder, vectorsOf });
}
