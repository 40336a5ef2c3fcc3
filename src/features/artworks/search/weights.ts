/** What another wording says, beside the one that was typed. */
export const SYNONYM_SHARE = 0.85;
/** What the name of a maker is worth beside a word that as many works have. */
export const NAME_WORTH = 1.5;
/** A work from exactly the years asked for gains so much; one that may be from much else, too, gains less. */
export const DATE_WEIGHT = 2;
/** A date counts as much as a word that one work in so many has. */
export const DATE_WORTH = Math.log(1000);
/** Of 255, a work of a period: less than a word in a title, as much as one in a long description. */
export const PERIOD_IMPACT = 90;
/** How much a work of the highest standing gains on one of the lowest. */
export const STANDING_SHARE = 0.5;
/** Lifts works that have all of it over those that have some. */
export const WHOLE = 1e6;
/** What a work has that matches without a word. */
export const SCORE_MIN = 0.1;

/** Robertson and Zaragoza 2009: what few works have says more. A work with two wordings was counted twice. */
export const weightOf = (works: number, having: number): number =>
  Math.log(1 + (works - Math.min(works, having) + 0.5) / (having + 0.5));
