import {type Browser, type BrowserContext, chromium, type Page} from 'playwright-core';
import {findBrowser} from '../../scripts/browser.mjs';

/**
 * Disabled features. The last such flag counts, so this one repeats those that Playwright disables. The
 * popups are pages of the address bar: each new window loads both, which costs more than the page under test.
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
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${featuresOff.join()}`,
];

/** The real Chromium that `npm test` has found or installed. Close it in `afterAll`. */
export function startBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('No Chromium: `npm test` installs one.');
  return chromium.launch({executablePath, args: flags});
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

/** Watches a context and its first page from before the first request. `data:` is part of the page itself. */
export async function watch(
  context: BrowserContext,
  origin: string,
): Promise<{page: Page; misdeeds: Misdeeds}> {
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
  return {page: await context.newPage(), misdeeds};
}
