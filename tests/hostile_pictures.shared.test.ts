import { describe } from 'vitest';
import { sharedPictures } from './support/shared_pictures.ts';
import { testHostilePictures } from './support/test_hostile_pictures.ts';
import { needs } from './support/test_requirements.ts';

const pictures = sharedPictures();

describe('malformed third-party images', needs('../shared'), () => testHostilePictures(() => pictures));
