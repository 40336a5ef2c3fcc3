import { imageArgument } from './arguments.ts';
import type { Prompt } from './types.ts';

const UNKNOWN = 'not said';

export const markAiPicture: Prompt = {
  name: 'mark_ai_picture',
  title: 'Mark an AI picture',
  description:
    'Labels a picture as made by AI the way two laws ask: metadata and an invisible mark, both checked.',
  arguments: [
    imageArgument,
    { name: 'system', description: 'Name of the AI system.', required: true },
    { name: 'version', description: 'Its version.', required: false },
    { name: 'provider', description: 'Who provides it.', required: false },
    { name: 'title', description: 'Title of the picture.', required: false },
  ],
  goal: ({ system }) => `Mark my picture as made by ${system}, so that people and programs can tell.`,
  steps: ({ image, system, version = UNKNOWN, provider = UNKNOWN, title = 'Untitled' }) => [
    {
      tool: 'infuse_metadata',
      params: {
        image,
        metadata: { title },
        ai: { system, version, provider, generated_at: new Date().toISOString() },
        dry_run: true,
      },
      say: 'Tell me the price, put the time it was made in its place, and run it without dry_run once I agree. Ask me for version and provider where they are not said.',
    },
    {
      tool: 'verify_provenance',
      params: { image },
      say: 'With the result instead: check that marked_as_ai is yes, and tell me which layers speak and which measures are met.',
    },
  ],
};
