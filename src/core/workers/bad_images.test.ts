import { describe } from 'vitest';
import { hostilePictures } from '../../../tests/fixtures/hostile/hostile_pictures.ts';
import { testBadImages } from '../../../tests/support/test_bad_images.ts';

const pictures = await hostilePictures();

describe('every hostile, damaged and odd picture we can make', () => testBadImages(pictures));
