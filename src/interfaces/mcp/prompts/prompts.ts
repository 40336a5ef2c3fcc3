import { artOnProduct } from './art_on_product.ts';
import { clearRights } from './clear_rights.ts';
import { markAiPicture } from './mark_ai_picture.ts';
import { photoToPrint } from './photo_to_print.ts';
import type { Prompt } from './types.ts';

/** THE list of prompts. */
export const prompts: readonly Prompt[] = [photoToPrint, clearRights, markAiPicture, artOnProduct];
