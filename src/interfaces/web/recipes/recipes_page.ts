import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { pageFile } from '../../../core/html/page_files.ts';
import { presetAnswer } from '../../../features/recipes/routes/recipe_answer.ts';
import { presets } from '../../../features/recipes/tools/presets.ts';
import { rememberedRuns } from '../tools/earlier_results.ts';
import { SHOWN_RESULTS } from '../tools/shown_results.ts';
import { definePage, type Visit } from '../types.ts';
import { deleteRecipe, listRecipes, type Recipe } from './read_recipe.ts';
import { stepsText } from './steps_list.ts';

/** The presets and the saved recipes of the visitor. */
export const recipesPage = definePage({
  name: 'recipes',
  path: '/recipes',
  room: '/recipes',
  input: z.object({}),
  form: {
    bytesMax: 10_000,
    limit: { name: 'recipes-page', calls: 60, perSeconds: 3600 },
  },
  async show(_input, visit) {
    if (visit.form) {
      await deleteRecipe(visit, String(visit.form.get('delete') ?? ''));
      return { goTo: '/recipes' };
    }
    const { ready, kept, why } = await known(visit);
    return {
      title: 'Recipes',
      shape: 'wide',
      files: ['studio.css', 'recipes.css'],
      policy: { 'form-action': "'self'" },
      heading: html`<div class="head"><h1>Run several tools at once</h1><p class="row">${recordLink(visit)}<a class="button" href="/recipes/new">Create recipe</a></p></div>`,
      body: html`<section class="first"><h2>Presets</h2>${list(ready, visit)}</section>
<section><h2>Your recipes</h2>${why ? html`<p class="quiet">${why} <a href="/wallet">Go to wallet</a></p>` : kept.length === 0 ? html`<p class="quiet">No recipes yet. Run a tool and select “Save as recipe”, customise a preset above, or create a recipe.</p>` : list(kept, visit, true)}</section>`,
    };
  },
});

/** Link that makes a recipe from the last run of this browser. */
function recordLink(visit: Visit): Html {
  const [last] = rememberedRuns(visit);
  return html`${last ? html`<a class="button" href="/recipes/new?run=${last}">Save last run as recipe</a>` : ''}`;
}

/** Everyone sees the presets; `why` explains missing saved recipes. */
async function known(
  visit: Visit,
): Promise<{ ready: readonly Recipe[]; kept: readonly Recipe[]; why?: string }> {
  if (visit.visitor.wallet === undefined && visit.visitor.bearer === undefined)
    return { ready: presets.map(presetAnswer), kept: [], why: 'Sign in to see and save your recipes.' };
  try {
    const { presets: ready, recipes: kept } = await listRecipes(visit);
    return { ready, kept };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    return { ready: presets.map(presetAnswer), kept: [], why: error.message };
  }
}

const list = (recipes: readonly Recipe[], { studio: { tools } }: Visit, isOwn = false): Html =>
  html`<ul class="recipes">${recipes.map(
    ({ id, title, about, steps }) =>
      html`<li>${imagesHtml(steps, `/recipes/${id}`)}<div><h3><a href="/recipes/${id}">${title}</a></h3>${about ? html`<p>${about}</p>` : ''}<p class="small quiet">${stepsText(steps, tools)}</p></div><div class="row"><a href="/recipes/new?from=${id}">Customise<span class="unseen"> ${title}</span></a>${isOwn ? html`<form method="post"><button class="bare" name="delete" value="${id}">Delete<span class="unseen"> ${title}</span></button></form>` : ''}</div></li>`,
  )}</ul>`;

const IMAGES_OF_RECIPE = 3;

/** Sample results of its last steps. */
function imagesHtml(steps: Recipe['steps'], path: string): Html {
  const images = steps.flatMap(({ tool }) => SHOWN_RESULTS[tool]?.image ?? []);
  const shown = [...new Set(images)].slice(-IMAGES_OF_RECIPE);
  if (shown.length === 0) return html``;
  return html`<a class="recipe-images" href="${path}" tabindex="-1" aria-hidden="true">${shown.map(
    ({ file, width, height }) =>
      html`<img src="${pageFile(file).address}" width="${width}" height="${height}" alt="" loading="lazy">`,
  )}</a>`;
}
