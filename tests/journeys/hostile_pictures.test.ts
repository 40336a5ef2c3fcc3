import { describe } from 'vitest';
import { hostilePictures } from '../fixtures/hostile/hostile_pictures.ts';
import { testHostilePictures } from '../support/test_hostile_pictures.ts';

/** All tools decode alike, so each gets a quarter of the odd ones. */
const QUARTERS = 4;
const pictures = await hostilePictures();

describe('malformed pictures', () =>
  testHostilePictures((toolAt) =>
    pictures.filter(({ kind }, at) => kind === 'bomb' || at % QUARTERS === toolAt % QUARTERS),
  ));
