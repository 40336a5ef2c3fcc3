export const RECIPE_STEPS_MAX = 12;
/** Values of the iterated input. */
export const FOR_EACH_MAX = 20;
/** Steps of a recipe times iterated values. */
export const STEP_RUNS_MAX = 60;
export const RECIPE_TITLE_CHARACTERS_MAX = 100;
/** Characters of a saved recipe, as JSON. */
export const RECIPE_JSON_CHARACTERS_MAX = 32 * 1024;
/** Approximate size of the results of all steps, divided evenly; each step has at least room for the location of its file. */
export const ANSWER_CHARACTERS_MAX = 10_000;
export const STEP_CHARACTERS_MIN = 250;
