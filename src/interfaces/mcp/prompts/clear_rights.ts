import { imageArgument } from './arguments.ts';
import type { Prompt } from './types.ts';

export const clearRights: Prompt = {
  name: 'clear_rights',
  title: "Clear a picture's rights",
  description:
    'What can be known of where a picture comes from, who holds its rights and whether a machine made it.',
  arguments: [imageArgument],
  goal: () => 'Find out whether I may use this picture.',
  steps: ({ image }) => [
    {
      tool: 'verify_provenance',
      params: { image },
      say: 'Read marked_as_ai, verdict, matches and rights_policy. Unknown means that it is not registered here, not that it is free.',
    },
    { tool: 'watermark_detect', params: { image }, say: 'A mark that is found may name its owner.' },
    {
      tool: 'search_artworks',
      params: { query: '', like: image, limit: 5 },
      say: 'Is it a museum work? Those here are in the public domain.',
    },
  ],
};
