import {type Browser, type BrowserContext, chromium, type Page} from 'playwright-core';
import {findBrowser} from '../../scripts/browser.mjs';

/**
 * Disabled features. Only the last such flag counts, so this one repeats those that Playwright disables. The
 * popups are pages of the address bar: each new window loads both, at a higher cost than the page under test.
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
  // One more renderer costs as much CPU as the page.
  '--process-per-site',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${featuresOff.join()}`,
];

declare global {
  /** A global, since modules last for one test file, and the browser for all files of a worker. */
  var workerBrowser: Browser | undefined;
}

/** The real Chromium that `npm test` has found or installed. Close it in `afterAll`. */
export function startBrowser(): Promise<Browser> {
  // `npm test` sets the path of one that it has tried.
  const executablePath = process.env['CHROMIUM_BIN'] ?? findBrowser();
  if (executablePath === undefined) throw new Error('No Chromium: `npm test` installs one.');
  return chromium.launch({executablePath, args: flags});
}

/**
 * One browser for all files of a worker. Close your contexts in `afterAll`. The browser ends with the worker,
 * or without workers with the run (teardown-redis.mjs).
 */
export async function sharedBrowser(): Promise<Browser> {
  if (globalThis.workerBrowser?.isConnected()) return globalThis.workerBrowser;
  const browser = await startBrowser();
  globalThis.workerBrowser = browser;
  const asked = await browser.newBrowserCDPSession();
  const {processInfo} = await asked.send('SystemInfo.getProcessInfo');
  await asked.detach();
  const pid = processInfo.find(({type}) => type === 'browser')?.id;
  process.on('message', function end([kind]: [number]) {
    // CHILD_MESSAGE_END of jest-worker, which gives 500 ms: too little to close a browser on a busy machine.
    if (kind !== 2) return;
    process.off('message', end);
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  });
  return browser;
}

/** Forbidden actions of a page: errors, violations of its policy, requests to other hosts. */
export interface Misdeeds {
  readonly errors: string[];
  readonly violations: string[];
  readonly foreign: string[];
}

/** Runs in the page before its own scripts. */
const reportViolations = `document.addEventListener('securitypolicyviolation', (event) => {
  reportViolation(event.violatedDirective + ': ' + event.blockedURI + ' at ' + event.sourceFile + ':' + event.lineNumber);
});`;

/** Watches a context and its first page from before the first request. */
export async function watch(
  context: BrowserContext,
  origin: string,
): Promise<{page: Page; misdeeds: Misdeeds}> {
  const misdeeds = await watchContext(context, origin);
  return {page: await context.newPage(), misdeeds};
}

/** `data:` is part of the page itself. */
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
