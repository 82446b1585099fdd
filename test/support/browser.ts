import {type Browser, type BrowserContext, chromium, type Page} from 'playwright-core';
import {findBrowser} from '../../scripts/browser.mjs';

/**
 * Chromium features that tests switch off. Chromium reads only the last flag of this name, so the list
 * repeats the features that Playwright switches off. Without the last ones, each new window loads two popups
 * of the address bar, which cost more than the page under test.
 */
const featuresOff = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

/** Flags for an isolated browser: no sandbox (containers have none), no background requests. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  // A second renderer process costs as much CPU as the page itself.
  '--process-per-site',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${featuresOff.join()}`,
];

declare global {
  /**
   * The browser is a global variable, so that all test files of a Jest worker share it. A variable of a
   * module exists for one test file only.
   */
  var workerBrowser: Browser | undefined;
}

/** Starts the Chromium that `npm test` has found or installed. Close it in `afterAll`. */
export function startBrowser(): Promise<Browser> {
  // `npm test` sets the path of a Chromium that it has tried.
  const executablePath = process.env['CHROMIUM_BIN'] ?? findBrowser();
  if (executablePath === undefined) throw new Error('No Chromium: `npm test` installs one.');
  return chromium.launch({executablePath, args: flags});
}

/**
 * Returns the browser that all test files of a Jest worker share. Close your own contexts in `afterAll`, but
 * not the browser. It ends with the worker or, if Jest runs without workers, with the run
 * (teardown-redis.mjs).
 */
export async function getSharedBrowser(): Promise<Browser> {
  if (globalThis.workerBrowser?.isConnected()) return globalThis.workerBrowser;
  const browser = await startBrowser();
  globalThis.workerBrowser = browser;
  const asked = await browser.newBrowserCDPSession();
  const {processInfo} = await asked.send('SystemInfo.getProcessInfo');
  await asked.detach();
  const pid = processInfo.find(({type}) => type === 'browser')?.id;
  process.on('message', function end([kind]: [number]) {
    // Jest sends message 2 (CHILD_MESSAGE_END) to end a worker, and kills the worker 500 ms later. A busy
    // machine needs longer to close a browser, so kill the browser.
    if (kind !== 2) return;
    process.off('message', end);
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  });
  return browser;
}

/**
 * Things that a page must never do: errors, violations of its Content-Security-Policy, requests to other
 * hosts.
 */
export interface Misdeeds {
  readonly errors: string[];
  readonly violations: string[];
  readonly foreign: string[];
}

/** Script that runs in the page before the page's own scripts. */
const reportViolations = `document.addEventListener('securitypolicyviolation', (event) => {
  reportViolation(event.violatedDirective + ': ' + event.blockedURI + ' at ' + event.sourceFile + ':' + event.lineNumber);
});`;

/** Watches a browser context and its first page, before the page sends a request. */
export async function openWatchedPage(
  context: BrowserContext,
  origin: string,
): Promise<{page: Page; misdeeds: Misdeeds}> {
  const misdeeds = await watchContext(context, origin);
  return {page: await context.newPage(), misdeeds};
}

/**
 * Records what the pages of a browser context must never do. A `data:` URL is part of the page itself, so
 * loading it counts as no request to another host.
 */
export async function watchContext(context: BrowserContext, origin: string): Promise<Misdeeds> {
  const misdeeds: Misdeeds = {errors: [], violations: [], foreign: []};
  await context.exposeFunction('reportViolation', (what: string) => void misdeeds.violations.push(what));
  await context.addInitScript({content: reportViolations});
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') misdeeds.errors.push(message.text());
  });
  context.on('weberror', (error) => void misdeeds.errors.push(String(error.error())));
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('data:') && new URL(url).origin !== origin) misdeeds.foreign.push(url);
  });
  return misdeeds;
}
