/** The value of a cookie. @param cookies the Cookie header @param name letters and underscores */
export const cookieIn = (cookies: string | undefined, name: string): string | undefined =>
  new RegExp(`(?:^|;\\s*)${name}=([^;]+)`).exec(cookies ?? '')?.[1];
