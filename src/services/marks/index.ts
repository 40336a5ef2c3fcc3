export type { Mark, Marks } from './marks.ts';
export { createMarks } from './marks.ts';
