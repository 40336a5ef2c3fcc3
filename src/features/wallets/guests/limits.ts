/** Credits that the key of a guest account may spend per day (UTC), and in total. */
export const GUEST_CREDITS_A_DAY = 10;
export const GUEST_CREDITS_IN_ALL = 100;
export const GUEST_ACCOUNTS_A_DAY = 20;
export const GUEST_ACCOUNTS_A_DAY_OF_ALL = 1000;
export const BONUS_COUNTS_LIFETIME_DAYS = 2;
