import { DOCUMENT_RULES } from './document_rules.ts';
import { IMAGE_RULES } from './image_rules.ts';
import { MARK_RULES } from './mark_rules.ts';
import { OBJECT_RULES } from './object_rules.ts';
import { PAGE_RULES } from './page_rules.ts';
import type { Rule } from './rule.ts';
import { TIFF_RULES } from './tiff_rules.ts';

/** All rules. */
export const RULES: readonly Rule[] = [
  ...DOCUMENT_RULES,
  ...PAGE_RULES,
  ...OBJECT_RULES,
  ...MARK_RULES,
  ...IMAGE_RULES,
  ...TIFF_RULES,
];
