import {expect} from '@jest/globals';
import {mkdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import type {Page} from 'playwright-core';
import {deep} from '../../support/deep.js';
import {withTimeout} from '../../support/until.js';
import {evidenceFolder as folder} from './evidence.js';
import type {Tab} from './stage.js';

export interface LookOptions {
  /** Takes pictures of the whole page, not only of the window. */
  readonly full?: boolean;
  /** Further states: a zoom of 200 %, forced colours. */
  readonly also?: readonly ('zoomed' | 'forced')[];
  /** Default: the first page of the tab. */
  readonly page?: Page;
}

interface Appearance {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
  readonly forcedColors?: 'active';
}

/** Two states cover both themes and both widths; `npm run test:deep` uses all four. */
export const states: readonly Appearance[] = [
  {name: 'light-1280', colorScheme: 'light', width: 1280, height: 900},
  ...(deep ? [{name: 'light-360', colorScheme: 'light', width: 360, height: 740} as const] : []),
  {name: 'dark-360', colorScheme: 'dark', width: 360, height: 740},
  ...(deep ? [{name: 'dark-1280', colorScheme: 'dark', width: 1280, height: 900} as const] : []),
];
const further: Readonly<Record<string, Appearance>> = {
  zoomed: {name: 'zoomed', colorScheme: 'light', width: 640, height: 450},
  forced: {name: 'forced', colorScheme: 'dark', width: 1280, height: 900, forcedColors: 'active'},
};

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
let axe: string | undefined;

/**
 * Checks the page in both themes, wide and narrow: axe reports no violation, nothing scrolls sideways, and no
 * two bars overlap. Restores the window afterwards. A state with a finding is kept as a picture;
 * `PICTURES=1` keeps a picture of each state.
 */
export async function look(tab: Pick<Tab, 'page'>, name: string, options: LookOptions = {}): Promise<void> {
  const {page = tab.page, full = false, also = []} = options;
  const before = page.viewportSize();
  const findings: string[] = [];
  for (const state of [...states, ...also.map((one) => further[one] as Appearance)]) {
    const {colorScheme, width, height, forcedColors = 'none'} = state;
    await page.emulateMedia({colorScheme, forcedColors});
    await page.setViewportSize({width, height});
    await untilStable(page);
    let found = await complaints(page, state);
    // An opening dialog or arriving data may cause a finding for a moment: only a lasting one counts.
    for (let tries = 1; tries < 3 && found.length > 0; tries += 1) {
      await untilStable(page);
      found = await complaints(page, state);
    }
    if (found.length > 0 || process.env['PICTURES'] === '1')
      await keepPicture(page, `${name}-${state.name}`, full);
    findings.push(...found.map((finding) => `${name} ${state.name}: ${finding}`));
  }
  await page.emulateMedia({colorScheme: 'light', forcedColors: 'none'});
  if (before !== null) await page.setViewportSize(before);
  await untilStable(page);
  expect(findings).toEqual([]);
}

async function keepPicture(page: Page, name: string, fullPage: boolean): Promise<void> {
  mkdirSync(folder, {recursive: true});
  await page.screenshot({path: path.join(folder, `${name}.png`), fullPage, caret: 'initial'});
}

async function complaints(page: Page, state: Appearance): Promise<string[]> {
  const ofAxe = await withTimeout(axeFindings(page, state), `axe has looked at ${state.name}`);
  return [...ofAxe, ...(await page.evaluate<string[]>(layoutFindings))];
}

/** Resolves when fonts are loaded, dialogs are open and animations have ended. */
export async function untilStable(page: Page): Promise<void> {
  const stable = page.evaluate(`(async () => {
    // The timer only limits the wait: a busy machine may render no frame for long.
    const frame = () => new Promise((resolve) => {
      requestAnimationFrame(resolve);
      setTimeout(resolve, 500);
    });
    await frame();
    await frame();
    // React Aria keeps a dialog transparent until it has measured the page.
    const isComing = (one) => !one.checkVisibility({opacityProperty: true});
    const dialogs = '[role=dialog], [role=alertdialog]';
    for (let frames = 0; frames < 60 && [...document.querySelectorAll(dialogs)].some(isComing); frames += 1) await frame();
    await document.fonts.ready;
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    const arrived = Promise.all(ending.map((one) => one.finished.catch(() => undefined)));
    // The animation of an element that is not rendered never ends.
    await Promise.race([arrived, new Promise((resolve) => setTimeout(resolve, 1_000))]);
  })()`);
  await withTimeout(stable, 'the page has settled');
}

const all =
  "{type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}";
/** The rules that depend on colours: only these are checked again in the dark theme. */
const ofColours = "{type: 'rule', values: ['color-contrast', 'link-in-text-block']}";

async function axeFindings(page: Page, state: Appearance): Promise<string[]> {
  // Through the debugger, since the page's CSP allows no other script.
  axe ??= readFileSync(axeFile, 'utf8');
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(axe);
  const rules = state.colorScheme === 'dark' ? ofColours : all;
  // Preloading serves only the rule about autoplay, which does not depend on the state.
  const preload = state === states[0];
  return page.evaluate<string[]>(`(async () => {
    const {violations} = await axe.run(document, {
      runOnly: ${rules}, preload: ${preload}, resultTypes: ['violations'], iframes: false,
    });
    return violations.flatMap(({id, help, nodes}) =>
      nodes.map(({target, html, failureSummary}) =>
        [id + ': ' + help, target.join(' '), html.slice(0, 200), failureSummary].join('\\n  ')));
  })()`);
}

const layoutFindings = `(() => {
  const found = [];
  const {scrollWidth, clientWidth} = document.documentElement;
  if (scrollWidth > clientWidth) {
    const wide = [...document.body.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > clientWidth + 1);
    found.push('scrolls sideways, ' + scrollWidth + ' px in ' + clientWidth + ': ' + describe(wide.at(-1)));
  }
  if (document.querySelector('[aria-modal=true], dialog[open], [role=dialog], [role=alertdialog]') !== null) return found;
  const bars = [...document.body.querySelectorAll('*')].filter((one) => {
    const style = getComputedStyle(one);
    if (style.position !== 'fixed' && style.position !== 'sticky') return false;
    const {width, height} = one.getBoundingClientRect();
    return width > 1 && height > 1 && style.visibility === 'visible' && style.pointerEvents !== 'none';
  });
  for (const [i, one] of bars.entries()) {
    for (const other of bars.slice(i + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      const a = seen(one);
      const b = seen(other);
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 1) found.push(describe(one) + ' and ' + describe(other) + ' lie on each other');
    }
  }
  return found;
  // Clips the element at the edges of scrolling boxes around it.
  function seen(element) {
    let {left, right, top, bottom} = element.getBoundingClientRect();
    for (let box = element.parentElement; box !== null; box = box.parentElement) {
      if (getComputedStyle(box).overflow === 'visible') continue;
      const edge = box.getBoundingClientRect();
      left = Math.max(left, edge.left);
      right = Math.min(right, edge.right);
      top = Math.max(top, edge.top);
      bottom = Math.min(bottom, edge.bottom);
    }
    return {left, right, top, bottom};
  }
  function describe(element) {
    if (element === undefined) return 'nothing visible';
    const text = (element.innerText ?? '').trim().slice(0, 40).replaceAll('\\n', ' ');
    return element.tagName.toLowerCase() + '.' + element.getAttribute('class') + ' “' + text + '”';
  }
})()`;
