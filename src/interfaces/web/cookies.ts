import { THEMES, type Theme } from '../../core/html/html_page.ts';

/** The value of a cookie. @param cookies the Cookie header @param name letters and underscores */
export const cookieIn = (cookies: string | undefined, name: string): string | undefined =>
  new RegExp(`(?:^|;\\s*)${name}=([^;]+)`).exec(cookies ?? '')?.[1];

/** The chosen theme; default: the system theme. @param cookies the Cookie header */
export const themeIn = (cookies: string | undefined): Theme =>
  THEMES.find((name) => name === cookieIn(cookies, 'theme')) ?? 'auto';
