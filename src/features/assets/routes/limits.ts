export const TRASH_PAGE_MAX = 1000;
