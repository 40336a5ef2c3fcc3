export const RECIPE_STEPS_MAX = 12;
/** Values one input may stand for in turn. */
export const FOR_EACH_MAX = 20;
/** Steps of a recipe times values it is run for. */
export const STEP_RUNS_MAX = 60;
export const RECIPE_TITLE_CHARACTERS_MAX = 100;
/** Steps of a recipe that is saved, as JSON. */
export const RECIPE_JSON_CHARACTERS_MAX = 32 * 1024;
/** What the steps of one call answer together, about; divided evenly, but each has room for where its file is. */
export const ANSWER_CHARACTERS_MAX = 10_000;
export const STEP_CHARACTERS_MIN = 250;
