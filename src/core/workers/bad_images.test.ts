import { describe } from 'vitest';
import { hostilePictures } from '../../../tests/fixtures/hostile/hostile_pictures.ts';
import { testBadImages } from '../../../tests/support/test_bad_images.ts';

const pictures = await hostilePictures();

describe('generated hostile, damaged and unusual images are handled', () => testBadImages(pictures));
