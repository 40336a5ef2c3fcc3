import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { presetAnswer } from '../../../features/recipes/routes/recipe_answer.ts';
import { presets } from '../../../features/recipes/tools/presets.ts';
import { definePage, type Visit } from '../types.ts';
import { deleteRecipe, listRecipes, type Recipe } from './read_recipe.ts';
import { stepsText } from './steps_list.ts';

/** What is ready to run, and what the visitor has kept. */
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
      heading: html`<div class="head"><h1>Several tools, one press</h1><a class="button" href="/recipes/new">Write a recipe</a></div>`,
      body: html`<section class="first"><h2>Ready to run</h2>${list(ready, visit)}</section>
<section><h2>Yours</h2>${why ? html`<p class="quiet">${why} <a href="/wallet">To your wallet</a></p>` : kept.length === 0 ? html`<p class="quiet">None yet. Change one of those above, or write one.</p>` : list(kept, visit, true)}</section>`,
    };
  },
});

/** The presets are for everybody; why others cannot be shown is said in their place. */
async function known(
  visit: Visit,
): Promise<{ ready: readonly Recipe[]; kept: readonly Recipe[]; why?: string }> {
  if (visit.visitor.wallet === undefined && visit.visitor.bearer === undefined)
    return { ready: presets.map(presetAnswer), kept: [], why: 'Recipes are kept for a wallet.' };
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
      html`<li><div><h3><a href="/recipes/${id}">${title}</a></h3>${about ? html`<p>${about}</p>` : ''}<p class="small quiet">${stepsText(steps, tools)}</p></div><div class="row"><a href="/recipes/new?from=${id}">Change</a>${isOwn ? html`<form method="post"><button class="bare" name="delete" value="${id}">Delete<span class="unseen"> ${title}</span></button></form>` : ''}</div></li>`,
  )}</ul>`;
