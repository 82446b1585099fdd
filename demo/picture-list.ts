import type {Page} from 'playwright-core';
import type {PlayedDemo} from './play.js';

export interface Picture {
  /** The file name in docs/pictures, without its ending. */
  readonly name: string;
  /** Below /app. */
  readonly address: (played: PlayedDemo) => string;
  /** In px, where 800 is not enough. */
  readonly height?: number;
  /** Brings the page into the state of the picture. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** The pictures of README and docs, 1280 px wide. */
export const pictures: readonly Picture[] = [
  {name: 'today', address: () => '/t/platform'},
  {name: 'insights', address: () => '/t/platform/insights'},
  {
    name: 'webhook',
    address: ({webhooks}) => `/webhooks/${webhooks.get('failing') ?? ''}?type=run.opened`,
    height: 1464,
    prepare: (page) =>
      page
        .getByRole('button', {name: /^Held.* [3-5] attempts/})
        .first()
        .click(),
  },
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
