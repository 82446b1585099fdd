import type {Page} from 'playwright-core';
import type {PlayedDemo} from './play.js';

export interface Picture {
  /** The file name in docs/pictures, without `.png`. */
  readonly name: string;
  /** The address of the page, below /app. */
  readonly address: (played: PlayedDemo) => string;
  /** The height in pixels, if 800 is not enough. */
  readonly height?: number;
  /** Prepares the page for the picture, for example by opening a menu. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** The pictures in the README and docs, each 1280 pixels wide. */
export const pictures: readonly Picture[] = [
  {name: 'today', address: () => '/t/platform'},
  {name: 'insights', address: () => '/t/platform/insights'},
  {
    name: 'webhook',
    address: ({webhooks}) => `/webhooks/${webhooks.get('failing') ?? ''}?type=run.opened`,
    height: 1464,
    prepare: (page) =>
      page
        .getByRole('button', {name: /^On hold.* [3-5] attempts/})
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
