import { z } from 'zod';

const text = (about: string) => z.string().describe(about);
const texts = (about: string) => z.array(z.string()).describe(about);
/** null where the picture does not tell: every member must be there, because some providers know no optional ones. */
const perhaps = (about: string) =>
  z.string().nullable().describe(`${about}; null where the picture does not tell`);

/** What a model is asked to write. Bounds are set on the answer, since providers differ in which they take in a schema. */
export const wordsSchema = z.object({
  title: text('title the look suggests, at most 8 words'),
  description: text('for a catalogue: what is shown, then how, 60 to 120 words'),
  alt_text: text('for people who cannot see it: what is shown, at most 200 characters, without "image of"'),
  extended_description: text('what is shown from the foreground to the background, at most 200 words'),
  keywords: texts('8 to 18 words or short terms for search'),
  themes: texts('what it is about, at most 6'),
  subjects: texts('what is shown, at most 12'),
  people: perhaps(
    'people shown and what they do, without guessing who they are, their origin, health or faith',
  ),
  setting: perhaps('place, season, time of day'),
  objects: texts('objects of note, at most 12'),
  text_read: perhaps('writing that can be read in the picture, word for word'),
  composition: text('how the surface is divided and the eye is led, 40 to 90 words'),
  color: text('what the colours do, 30 to 70 words'),
  lighting: text('where light comes from and what it does, 25 to 60 words'),
  medium_seen: perhaps('medium and technique as they look'),
  mood: text('the mood, at most 15 words'),
  emotional_journey: text('what a viewer meets from first to last glance, 40 to 90 words'),
  symbolism: text(
    'what things may stand for, naming what is convention and what is conjecture, 30 to 90 words',
  ),
  art_movements: texts('movements or schools it belongs to or recalls; empty where none'),
  style: perhaps('style in a sentence'),
  artist_analysis: text(
    'the hand: handling, choices, what they achieve, 40 to 100 words; no attribution of your own',
  ),
  cultural_context: perhaps('where and when it belongs'),
  confidence: z.number().describe('0 to 1: how sure you are of what is shown'),
});

export type Words = z.output<typeof wordsSchema>;
