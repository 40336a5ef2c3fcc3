import { describe } from 'vitest';
import { needs } from '../../../tests/support/judge.ts';
import { sharedPictures } from '../../../tests/support/shared_pictures.ts';
import { testBadImages } from '../../../tests/support/test_bad_images.ts';

describe('every hostile, damaged and odd picture others collected', needs('../shared'), () =>
  testBadImages(sharedPictures()),
);
