import { expect, test } from 'vitest';
import { createCatalogue } from '../../../catalog/create_catalogue.ts';
import type { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Step } from '../../definitions/tool.ts';
import { tools } from '../../tools.ts';
import { checkSteps } from './check_steps.ts';
import { presets } from './presets.ts';
import { saveRecipe } from './save_recipe.ts';

const catalogue = createCatalogue(tools);
const step = (tool: string, params: object, save_as: string): Step => ({
  tool,
  params: { ...params },
  save_as,
});

test.each(presets.map((preset) => [preset.name, preset] as const))(
  'the preset %s is valid for its tools and requires its declared inputs',
  async (_, { steps, inputs }) => {
    const recipes = { save: async (saved: object) => saved } as never;
    await saveRecipe({ catalogue, recipes }, { wallet: '', title: '', steps });
    expect(checkSteps(catalogue, steps).sort()).toEqual(Object.keys(inputs).sort());
  },
);

const CUT = step('remove_background', { image: '$photo' }, 'cut');
const problemsOf = (steps: Step[], inputs?: string[]): string => {
  try {
    return String(checkSteps(catalogue, steps, inputs));
  } catch (error) {
    return (error as AtelierError).message;
  }
};

test.each([
  ['itself', [step('resize_image', { image: '$a' }, 'a')], 'this step'],
  ['a later one', [step('resize_image', { image: '$cut' }, 'a'), CUT], 'a later step'],
  ['nothing', [step('resize_image', { image: '$phot' }, 'a')], 'Did you mean $photo?'],
  [
    'a field there is not',
    [CUT, step('resize_image', { image: '$cut.resutl' }, 'a')],
    'Did you mean $cut.result?',
  ],
  [
    'a file there is not',
    [step('extract_palette', { image: '$photo' }, 'p'), step('resize_image', { image: '$p' }, 'a')],
    'returns none',
  ],
  ['a tool there is not', [step('remove_backround', {}, 'a')], 'Did you mean remove_background?'],
  ['recipes', [step('run_recipe', {}, 'a')], 'recipes cannot run recipes'],
  ['a payer', [step('resize_image', { image: '$photo', payer: 'atl_key_1' }, 'a')], 'belongs to the call'],
  ['a dry run', [step('resize_image', { image: '$photo', dry_run: true }, 'a')], 'belongs to the call'],
  ['a name that is taken', [CUT, CUT], 'already called "cut"'],
  [
    'the name of an input',
    [step('resize_image', { image: '$photo' }, 'photo')],
    'an input is already called "photo"',
  ],
])('a step that refers to %s is rejected', (_, steps, words) => {
  expect(problemsOf(steps, ['photo'])).toContain(words);
});

test('valid steps yield their input names', () => {
  expect(checkSteps(catalogue, [CUT, step('resize_image', { image: '$cut', width: '$w' }, 'a')])).toEqual([
    'photo',
    'w',
  ]);
});
