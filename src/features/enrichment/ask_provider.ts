import {
  generateText,
  type LanguageModel,
  type LanguageModelUsage,
  NoObjectGeneratedError,
  NoOutputGeneratedError,
  Output,
} from 'ai';
import { INSTRUCTIONS } from './prompt.ts';
import { wordsSchema } from './words_schema.ts';

// The library would print what it thinks of a provider's settings.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** Requests that failed by the network or a busy server are sent again so often, after the time the provider names. */
const RETRIES = 2;

interface Question {
  readonly text: string;
  readonly jpeg: Uint8Array;
  readonly outputTokensMax: number;
  readonly signal: AbortSignal;
}

/** One answer of a provider as it came, in form or not. */
export interface ProviderAnswer {
  /** What was said, or what a tool was called with. */
  readonly text: string;
  /** The model or a filter of its provider declined. */
  readonly isDeclined: boolean;
  /** Absent where the provider tells none, as some local servers do. */
  readonly used: { readonly input: number; readonly output: number } | undefined;
}

/** Shows a model a picture and asks for words in our form. @throws the errors of the provider library */
export async function askProvider(
  model: LanguageModel,
  { text, jpeg, outputTokensMax, signal }: Question,
): Promise<ProviderAnswer> {
  try {
    const answer = await generateText({
      model,
      abortSignal: signal,
      maxRetries: RETRIES,
      maxOutputTokens: outputTokensMax,
      output: Output.object({ schema: wordsSchema }),
      instructions: INSTRUCTIONS,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text },
            { type: 'file', data: jpeg, mediaType: 'image/jpeg' },
          ],
        },
      ],
      // OpenAI keeps what it is sent for a month unless told otherwise.
      providerOptions: { openai: { store: false } },
    });
    return { text: saidIn(answer), ...endOf(answer) };
  } catch (error) {
    if (!NoObjectGeneratedError.isInstance(error)) throw error;
    return { text: error.text ?? '', ...endOf(error) };
  }
}

/** The object in form, else what the first tool was called with: some models answer by calling one nobody offered. */
function saidIn(answer: Awaited<ReturnType<typeof generateText>>): string {
  try {
    return JSON.stringify(answer.output);
  } catch (error) {
    if (!NoOutputGeneratedError.isInstance(error)) throw error;
    const [call] = answer.toolCalls;
    return typeof call?.input === 'string' ? call.input : JSON.stringify(call?.input ?? answer.text);
  }
}

interface End {
  readonly finishReason: string | undefined;
  readonly usage: LanguageModelUsage | undefined;
}

function endOf({ finishReason, usage }: End): Omit<ProviderAnswer, 'text'> {
  const { inputTokens, outputTokens } = usage ?? {};
  const isTold = inputTokens !== undefined || outputTokens !== undefined;
  return {
    isDeclined: finishReason === 'content-filter',
    used: isTold ? { input: inputTokens ?? 0, output: outputTokens ?? 0 } : undefined,
  };
}
