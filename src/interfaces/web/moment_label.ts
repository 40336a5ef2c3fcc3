/** Display text of a time in UTC: "23 Nov 2026, 18:04". @param moment ISO 8601 */
export const momentLabel = (moment: string): string =>
  new Date(moment).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  });
