import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import type {BrowserContext, Page, Request} from 'playwright-core';
import {operatorCall} from '../src/service/workspaces/workspaces.js';
import {startBrowser} from '../test/support/browser.js';
import {findFreePort} from '../test/support/free-port.js';
import {compressPicture} from './pack-picture.js';
import {pictures} from './picture-list.js';
import {type PlayedDemo, playWeeks} from './play.js';
import {startReceivers} from './receivers.js';

export interface PictureOptions {
  readonly redisUrl: string;
  readonly folder: string;
  readonly say: (line: string) => void;
}

/** A Tuesday, 10:31 in Berlin. It is in the future, because Redis expires sessions by the machine's clock. */
const clockAt = Date.parse('2035-05-08T08:31:00Z');

/** Takes all pictures of an example company. They are the same each time, except for measured values. */
export async function takePictures({redisUrl, folder, say}: PictureOptions): Promise<void> {
  mkdirSync(folder, {recursive: true});
  // The port is fixed because a picture shows it.
  const receivers = await startReceivers(8_085).catch(() => startReceivers());
  const port = String(await findFreePort());
  const env = {PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`};
  say('Playing a quarter …');
  const played = await playWeeks({
    redisUrl,
    secretKey: 'the secret key of pictures, which guard nothing',
    seed: 20_261,
    weeks: 13,
    endsAt: clockAt,
    receivers,
    env,
  });
  const browser = await startBrowser();
  try {
    const context = await browser.newContext({
      viewport: {width: 1280, height: 800},
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    await context.clock.setFixedTime(clockAt);
    const quiet = watchRequests(context);
    const page = await signInToDashboard(context, played, env.PUBLIC_URL);
    for (const {name, address, height = 800, prepare} of pictures) {
      await page.setViewportSize({width: 1280, height});
      await page.goto(`${env.PUBLIC_URL}/app${address(played)}`);
      await page.locator('h1').first().waitFor();
      await quiet();
      await prepare?.(page);
      await quiet();
      await page.evaluate('document.fonts.ready');
      const taken = await page.screenshot({animations: 'disabled'});
      writeFileSync(path.join(folder, `${name}.png`), compressPicture(taken));
      say(`docs/pictures/${name}.png`);
    }
  } finally {
    await browser.close();
    await played.close();
    await receivers.close();
  }
}

async function signInToDashboard(context: BrowserContext, played: PlayedDemo, origin: string): Promise<Page> {
  const call = operatorCall(played.workspace, performance.now() + 10_000);
  const member = played.members.get('mara')?.id ?? '';
  const {body} = await played.running.core.services.sessions.createSignInLink(call, {member});
  const page = await context.newPage();
  await page.goto((JSON.parse(body) as {url: string}).url.replace(/^https?:\/\/[^/]+/, origin));
  await page.getByRole('button', {name: /^Continue as/}).click();
  await page.getByRole('navigation', {name: 'Main'}).first().waitFor();
  return page;
}

/** Returns a function that resolves when all requests are answered except for the stream of changes. */
function watchRequests(context: BrowserContext): () => Promise<void> {
  const underWay = new Set<Request>();
  context.on('request', (request) => void underWay.add(request));
  context.on('requestfinished', (request) => void underWay.delete(request));
  context.on('requestfailed', (request) => void underWay.delete(request));
  context.on('response', (response) => {
    if (response.headers()['content-type']?.startsWith('text/event-stream') === true) {
      underWay.delete(response.request());
    }
  });
  return async () => {
    for (let calm = 0; calm < 20; calm = underWay.size === 0 ? calm + 1 : 0) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
}
