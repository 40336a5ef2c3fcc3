import { readVocabulary } from './vocabulary.ts';
import { VOCABULARY } from './vocabulary_table.ts';

/** Every thing, scene and genre we have a word for. */
export const SUBJECT_TERMS = readVocabulary(VOCABULARY);
