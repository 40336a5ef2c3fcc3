import type { PromptArgument } from './types.ts';

export const imageArgument: PromptArgument = {
  name: 'image',
  description: 'The image: https://…, upload:<id>, result:<id>, asset:<key> or artwork:<id>.',
  required: true,
};
