import { readFileSync } from 'node:fs';
import type { Facts } from '@atelier/imaging/analysis/write/facts.ts';
import { type Given, oneLine } from '@atelier/imaging/analysis/write/given.ts';

/** Raise it with every change of the file it names: answers name it, and identical calls are told apart by it. */
export const PROMPT_VERSION = '2';

/** What a model is told of its work. */
export const INSTRUCTIONS = readFileSync(new URL(`./prompt_v${PROMPT_VERSION}.md`, import.meta.url), 'utf8');

const TOLD = {
  light: ['tonal_key', 'contrast', 'quality', 'direction', 'brightest_area', 'darkest_area'],
  composition: ['format', 'focal_point', 'balance', 'symmetry', 'edge_direction'],
  color: ['palette', 'temperature', 'harmony', 'accent_color'],
  surface: ['texture', 'technique_cues'],
} as const;

/** The message beside the picture: what was given, as data that cannot close its own mark, and what was measured. */
export function messageAbout(given: Given, facts: Facts, tier: 'standard' | 'premium'): string {
  const { museum, copyright_holder: _, ...texts } = given;
  const said = Object.entries({ ...texts, subjects: museum?.subjects.join(', ') ?? '' }).filter(
    ([, value]) => value,
  );
  const data = JSON.stringify(Object.fromEntries(said.map(([name, value]) => [name, oneLine(value)])));
  const measured = Object.entries(TOLD).flatMap(([section, names]) =>
    names.flatMap((name) => {
      const fact = (facts[section as keyof Facts] as Record<string, { value: unknown } | undefined>)[name];
      return fact ? [`${section}.${name}: ${JSON.stringify(fact.value)}`] : [];
    }),
  );
  return [
    `<given>${data.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')}</given>`,
    `Measured:\n${measured.join('\n')}`,
    tier === 'standard'
      ? 'Title, description, keywords and alt text matter most; keep the rest short.'
      : 'Every field matters.',
  ].join('\n\n');
}
