export type { Marks } from './marks.ts';
export { createMarks } from './marks.ts';
