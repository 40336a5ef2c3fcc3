import { describe } from 'vitest';
import { needs } from './support/reference_programs.ts';
import { sharedPictures } from './support/shared_pictures.ts';
import { testHostilePictures } from './support/test_hostile_pictures.ts';

const pictures = sharedPictures();

describe('malformed third-party images', needs('../shared'), () => testHostilePictures(() => pictures));
