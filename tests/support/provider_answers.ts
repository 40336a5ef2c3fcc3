/** Wire formats of the providers, as documented. */
export type Wire = 'openai_compatible' | 'openai' | 'anthropic' | 'google';

/**
 * Whole bodies as documented by four providers, by the behaviour of the model. They follow the published
 * formats and are not recorded from live services: OpenAI chat completions and Responses, Anthropic Messages,
 * Google generateContent, as of 2026.
 * Each counts 1200 input and 400 output tokens, except where a provider counts differently after blocking.
 */
export type Conduct = 'answers' | 'calls a tool' | 'is cut off' | 'refuses' | 'is blocked' | 'says nothing';

export function answerOf(wire: Wire, conduct: Conduct, text: string): object {
  return BODIES[wire](conduct, text);
}

const REFUSAL = "I'm sorry, but I can't help with describing this picture.";

const BODIES: Record<Wire, (conduct: Conduct, text: string) => object> = {
  openai_compatible: (conduct, text) => ({
    id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
    object: 'chat.completion',
    created: 1_741_569_952,
    model: 'eyes-1-2026-08-01',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: contentOf(conduct, text),
          refusal: conduct === 'refuses' ? REFUSAL : null,
          annotations: [],
          ...(conduct === 'calls a tool' && {
            tool_calls: [
              {
                id: 'call_abc123',
                type: 'function',
                function: { name: 'describe_picture', arguments: text },
              },
            ],
          }),
        },
        logprobs: null,
        finish_reason:
          { 'calls a tool': 'tool_calls', 'is cut off': 'length', 'is blocked': 'content_filter' }[
            conduct as string
          ] ?? 'stop',
      },
    ],
    usage: {
      prompt_tokens: 1200,
      completion_tokens: 400,
      total_tokens: 1600,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
    },
    service_tier: 'default',
    system_fingerprint: 'fp_44709d6fcb',
  }),
  openai: (conduct, text) => ({
    id: 'resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b',
    object: 'response',
    created_at: 1_741_476_542,
    status: conduct === 'is cut off' || conduct === 'is blocked' ? 'incomplete' : 'completed',
    error: null,
    incomplete_details:
      conduct === 'is cut off'
        ? { reason: 'max_output_tokens' }
        : conduct === 'is blocked'
          ? { reason: 'content_filter' }
          : null,
    instructions: null,
    max_output_tokens: 4000,
    model: 'eyes-1-2026-08-01',
    output: [
      { type: 'reasoning', id: 'rs_67ccd2bf17f0819081ff3bb2cf6508e6', summary: [] },
      ...(conduct === 'is blocked' ? [] : [itemOf(conduct, text)]),
    ],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: 'medium', summary: null },
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: {
      input_tokens: 1200,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 400,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 1600,
    },
    user: null,
    metadata: {},
  }),
  anthropic: (conduct, text) => ({
    id: 'msg_013Zva2CMHLNnXjNJJKqJ2EF',
    type: 'message',
    role: 'assistant',
    model: 'eyes-1-20260801',
    content: blocksOf(conduct, text),
    stop_reason:
      {
        'calls a tool': 'tool_use',
        'is cut off': 'max_tokens',
        refuses: 'refusal',
        'is blocked': 'refusal',
      }[conduct as string] ?? 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 1200,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 400,
      service_tier: 'standard',
    },
  }),
  google: (conduct, text) =>
    conduct === 'is blocked'
      ? {
          promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
          usageMetadata: { promptTokenCount: 1200, totalTokenCount: 1200 },
          modelVersion: 'eyes-1',
          responseId: 'Qm9hdHMgYXQgTG93IFRpZGU',
        }
      : {
          candidates: [
            {
              ...(conduct === 'refuses' ? {} : { content: { parts: partsOf(conduct, text), role: 'model' } }),
              finishReason: { 'is cut off': 'MAX_TOKENS', refuses: 'SAFETY' }[conduct as string] ?? 'STOP',
              index: 0,
              safetyRatings: [
                {
                  category: 'HARM_CATEGORY_SEXUALLY_EXPLICIT',
                  probability: conduct === 'refuses' ? 'HIGH' : 'NEGLIGIBLE',
                  ...(conduct === 'refuses' && { blocked: true }),
                },
              ],
            },
          ],
          usageMetadata: {
            promptTokenCount: 1200,
            candidatesTokenCount: 400,
            totalTokenCount: 1600,
            promptTokensDetails: [
              { modality: 'TEXT', tokenCount: 942 },
              { modality: 'IMAGE', tokenCount: 258 },
            ],
          },
          modelVersion: 'eyes-1',
          responseId: 'Qm9hdHMgYXQgTG93IFRpZGU',
        },
};

function contentOf(conduct: Conduct, text: string): string | null {
  if (conduct === 'calls a tool' || conduct === 'refuses') return null;
  return conduct === 'is blocked' || conduct === 'says nothing' ? '' : text;
}

function itemOf(conduct: Conduct, text: string): object {
  if (conduct === 'calls a tool')
    return {
      type: 'function_call',
      id: 'fc_67ccd3acc8d48190a77525dc6de64b4104becb25c45c1d41',
      call_id: 'call_abc123',
      name: 'describe_picture',
      arguments: text,
      status: 'completed',
    };
  const said =
    conduct === 'refuses'
      ? { type: 'refusal', refusal: REFUSAL }
      : { type: 'output_text', annotations: [], logprobs: [], text: conduct === 'says nothing' ? '' : text };
  return {
    type: 'message',
    id: 'msg_67ccd2bf17f0819081ff3bb2cf6508e6',
    status: conduct === 'is cut off' ? 'incomplete' : 'completed',
    role: 'assistant',
    content: [said],
  };
}

function blocksOf(conduct: Conduct, text: string): object[] {
  if (conduct === 'refuses' || conduct === 'is blocked' || conduct === 'says nothing') return [];
  if (conduct !== 'calls a tool') return [{ type: 'text', text }];
  return [
    {
      type: 'tool_use',
      id: 'toolu_01A09q90qw90lq917835lq9',
      name: 'describe_picture',
      input: JSON.parse(text),
    },
  ];
}

function partsOf(conduct: Conduct, text: string): object[] {
  if (conduct === 'says nothing') return [];
  if (conduct !== 'calls a tool') return [{ text }];
  return [{ functionCall: { name: 'describe_picture', args: JSON.parse(text) } }];
}
