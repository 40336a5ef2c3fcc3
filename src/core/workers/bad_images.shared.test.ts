import { describe } from 'vitest';
import { sharedPictures } from '../../../tests/support/shared_pictures.ts';
import { testBadImages } from '../../../tests/support/test_bad_images.ts';
import { needs } from '../../../tests/support/test_requirements.ts';

describe('collected hostile, damaged and unusual images are handled', needs('../shared'), () =>
  testBadImages(sharedPictures()),
);
