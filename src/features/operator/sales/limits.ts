/** Purchases read from the database at once. */
export const SALES_PAGE = 1_000;
