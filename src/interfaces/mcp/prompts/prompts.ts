import { type GetPromptResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { closest } from '../../../catalog/closest.ts';
import { MCP_ARGUMENT_CHARACTERS_MAX } from '../limits.ts';

const imageArgument: PromptArgument = {
  name: 'image',
  description: 'The image: https://…, upload:<id>, result:<id>, asset:<key> or artwork:<id>.',
  required: true,
};

const clearRights: Prompt = {
  name: 'clear_rights',
  title: 'Check the rights of an image',
  description: 'Find the origin and rights holder of an image, and whether AI made it.',
  arguments: [imageArgument],
  goal: () => 'Find out whether I may use this image.',
  steps: ({ image }) => [
    {
      tool: 'verify_provenance',
      params: { image },
      say: 'Read marked_as_ai, verdict, matches and rights_policy. Unknown means that it is not registered on this server, not that it is free to use.',
    },
    { tool: 'watermark_detect', params: { image }, say: 'A watermark may name the owner.' },
    {
      tool: 'search_artworks',
      params: { query: '', like: image, limit: 5 },
      say: 'Is it a museum work? Works of this dataset are in the public domain.',
    },
  ],
};

const photoToPrint: Prompt = {
  name: 'photo_to_print',
  title: 'Photo to print',
  description: 'Turn a photo into a print-ready file, with its problems reported first.',
  arguments: [
    imageArgument,
    {
      name: 'size',
      description: 'Paper size. Default: a4.',
      required: false,
      valuesOf: ['print_ready', 'product_size'],
    },
  ],
  goal: ({ size = 'a4' }) => `Make a print-ready file of my image, in ${size}.`,
  steps: ({ image, size = 'a4' }) => [
    {
      tool: 'print_ready',
      params: { image, product_size: size, output_format: 'pdf' },
      say: 'Read its preflight. If it has no problems, give me result_url and stop.',
    },
    {
      tool: 'upscale_image',
      params: { image, scale: 2, dry_run: true },
      say: 'Only if the resolution is too low: tell me the price and continue once I agree. Then make the print file again from the result.',
    },
    {
      tool: 'mockup_image',
      params: { image, product: 'poster', dry_run: true },
      say: 'Offer me a mockup of it on a wall, with the price.',
    },
  ],
};

const UNKNOWN = 'not said';

const markAiPicture: Prompt = {
  name: 'mark_ai_picture',
  title: 'Label an AI image',
  description:
    'Label an image as made by AI, as two laws require: metadata and an invisible watermark, both verified.',
  arguments: [
    imageArgument,
    { name: 'system', description: 'Name of the AI system.', required: true },
    { name: 'version', description: 'Its version.', required: false },
    { name: 'provider', description: 'Provider of the AI system.', required: false },
    { name: 'title', description: 'Title of the image.', required: false },
  ],
  goal: ({ system }) => `Label my image as made by ${system}, so that people and programs can tell.`,
  steps: ({ image, system, version = UNKNOWN, provider = UNKNOWN, title = 'Untitled' }) => [
    {
      tool: 'infuse_metadata',
      params: {
        image,
        metadata: { title },
        ai: { system, version, provider, generated_at: new Date().toISOString() },
        dry_run: true,
      },
      say: 'Tell me the price, fill in the time of creation, and run it without dry_run once I agree. Ask me for version and provider if they are missing.',
    },
    {
      tool: 'verify_provenance',
      params: { image },
      say: 'Use the result as the image: check that marked_as_ai is yes, and tell me which layers were found and which measures are met.',
    },
  ],
};

const artOnProduct: Prompt = {
  name: 'art_on_product',
  title: 'Find art and put it on a product',
  description: 'Find a public-domain museum work and show it on a product.',
  arguments: [
    { name: 'subject', description: 'Subject or artist.', required: true },
    {
      name: 'product',
      description: 'The product. Default: tshirt.',
      required: false,
      valuesOf: ['mockup_image', 'product'],
    },
    {
      name: 'museum',
      description: 'Limit to works of this museum.',
      required: false,
      valuesOf: ['search_artworks', 'museum'],
    },
  ],
  goal: ({ subject, product = 'tshirt' }) => `Find me museum art of ${subject} and show it on a ${product}.`,
  steps: ({ subject, product = 'tshirt', museum = '' }) => [
    {
      tool: 'search_artworks',
      params: { query: subject, museum, limit: 10 },
      say: 'Show me three with image_available, each with artist, date and museum.',
    },
    {
      tool: 'get_artwork',
      params: { artifact_id: 'met_436532', dry_run: true },
      say: 'With the credit_id I chose: tell me the price, and check its licence.',
    },
    {
      tool: 'mockup_image',
      params: { image: 'artwork:met_436532', product, dry_run: true },
      say: 'With artwork:<credit_id>: tell me the price, run it without dry_run once I agree, and show me the image.',
    },
  ],
};

/** All prompts. */
export const prompts: readonly Prompt[] = [photoToPrint, clearRights, markAiPicture, artOnProduct];

/** A sequence of tools that a person picks by name; the model receives it as a user message. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** The goal of the user, in a sentence. */
  goal(sent: Sent): string;
  /** In order; each has the parameters of a valid call, except values that an earlier step returns. */
  steps(sent: Sent): readonly PromptStep[];
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** The tool field that defines the values, for completion from its schema. */
  readonly valuesOf?: readonly [tool: string, field: string];
}

interface PromptStep {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly say: string;
}

/** Values by argument name; optional ones may be missing. */
type Sent = Readonly<Record<string, string | undefined>>;

/** The prompt with the user's values. @throws ProtocolError invalid params, with what to send instead */
export function getPrompt(name: string, sent: Sent = {}): GetPromptResult {
  const prompt = findPrompt(name);
  refuseBadArguments(prompt, sent);
  const steps = prompt
    .steps(sent)
    .map(({ tool, params, say }, at) => `${at + 1}. ${tool} ${JSON.stringify(params)}\n   ${say}`);
  const text = `${prompt.goal(sent)}\n\n${steps.join('\n')}\n\nAsk me before each call that costs credits. At the end, give me the links and the credits charged.`;
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

/** @throws ProtocolError invalid params, with the existing names */
export function findPrompt(name: string): Prompt {
  const found = prompts.find((prompt) => prompt.name === name);
  if (found) return found;
  const names = prompts.map((prompt) => prompt.name);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown prompt ${JSON.stringify(name.slice(0, 100))}. Available: ${names.join(', ')}.`,
    { did_you_mean: closest(name, names) },
  );
}

function refuseBadArguments(prompt: Prompt, sent: Sent): void {
  const missing = prompt.arguments.filter(({ name, required }) => required && !sent[name]?.trim());
  if (missing.length > 0) {
    const names = missing.map(({ name, description }) => `${name} (${description})`);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Send ${names.join(' and ')}`);
  }
  const long = Object.entries(sent).find(([, value]) => (value ?? '').length > MCP_ARGUMENT_CHARACTERS_MAX);
  if (!long) return;
  const message = `${long[0].slice(0, 100)} is longer than ${MCP_ARGUMENT_CHARACTERS_MAX} characters. Send a handle instead of bytes.`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
