/** Light or dark theme in a cookie, so that the server renders it without a flash. */
const THEMES = ['auto', 'light', 'dark'] as const;
const A_YEAR_S = 365 * 24 * 3600;

customElements.define(
  'at-theme',
  class extends HTMLElement {
    connectedCallback() {
      let at = Math.max(0, THEMES.indexOf(this.dataset.theme as (typeof THEMES)[number]));
      const button = document.createElement('button');
      button.type = 'button';
      const show = () => {
        const theme = THEMES[at]!;
        if (theme === 'auto') delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = theme;
        button.textContent = `${theme[0]!.toUpperCase()}${theme.slice(1)}`;
        button.setAttribute('aria-label', `Theme: ${theme}. Change`);
      };
      button.addEventListener('click', () => {
        at = (at + 1) % THEMES.length;
        show();
        // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari before 18.4
        document.cookie = `theme=${THEMES[at]}; Path=/; Max-Age=${A_YEAR_S}; SameSite=Lax`;
      });
      show();
      this.replaceChildren(button);
    }
  },
);
