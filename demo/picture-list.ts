import type {Page} from 'playwright-core';
import type {Played} from './play.js';

export interface Picture {
  /** In docs/pictures, without its ending. */
  readonly name: string;
  /** Below /app. */
  readonly address: (played: Played) => string;
  /** Brings the page to what is shown. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** The pictures of README and docs, all at 1280 × 800. */
export const pictures: readonly Picture[] = [
  {name: 'today', address: () => '/t/platform'},
  {name: 'insights', address: () => '/t/platform/insights'},
  {name: 'webhook', address: ({webhooks}) => `/webhooks/${webhooks.get('failing') ?? ''}`},
  {
    name: 'schedule',
    address: () => '/t/platform/settings',
    async prepare(page) {
      await page.getByRole('button', {name: /^28 Oct/}).click();
      await page.evaluate(
        `[...document.querySelectorAll('h2')].find((one) => one.textContent === 'Schedule').parentElement.scrollIntoView()`,
      );
    },
  },
];
