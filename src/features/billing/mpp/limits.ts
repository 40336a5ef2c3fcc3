/** A challenge that was not answered by then pays nothing. Long enough for a person to approve a payment on a phone. */
export const MPP_CHALLENGE_LIFETIME_MS = 15 * 60_000;
/** Longer credentials are not looked at. */
export const MPP_CREDENTIAL_CHARACTERS_MAX = 16_384;
