import { THEMES, type Theme } from '../../core/html/html_page.ts';
import { cookieIn } from './cookie_in.ts';

/** The chosen theme; default: the system theme. @param cookies the Cookie header */
export const themeIn = (cookies: string | undefined): Theme =>
  THEMES.find((name) => name === cookieIn(cookies, 'theme')) ?? 'auto';
