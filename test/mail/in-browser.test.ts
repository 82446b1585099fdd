import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import type {BrowserContext, Page} from 'playwright-core';
import type {RenderedMail, WrittenMail} from '../../src/domain/mail/mail-content.js';
import {renderMail} from '../../src/mail/render.js';
import {toHtml} from '../../src/mail/to-html.js';
import {toText} from '../../src/mail/to-text.js';
import {getSharedBrowser} from '../support/browser.js';
import {replaceNames, samples} from './samples.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let context: BrowserContext;
let page: Page;
let requests: string[];

beforeAll(async () => {
  const browser = await getSharedBrowser();
  context = await browser.newContext({colorScheme: 'dark', viewport: {width: 320, height: 640}});
  page = await context.newPage();
  page.on('request', (request) => requests.push(request.url()));
  page.on('dialog', (dialog) => {
    requests.push(dialog.message());
    void dialog.dismiss();
  });
});

afterAll(() => context.close());

async function show({html}: Pick<RenderedMail, 'html'>): Promise<void> {
  requests = [];
  await page.setContent(html, {waitUntil: 'load'});
}

/** Every type of block, with text that would become markup, a request or a link. */
const hostile =
  '</main></style><img src=https://evil.example/x><script>alert(1)</script>\n"&amp; evil.example';
const every: WrittenMail = {
  subject: hostile,
  blocks: [
    {type: 'paragraph', text: hostile},
    {type: 'quote', text: hostile},
    {type: 'small', text: hostile},
    {type: 'code', text: 'K7QM-3XTD'},
    {type: 'list', title: hostile, items: [hostile, 'x'.repeat(500)]},
    {type: 'link', label: 'Later', url: 'https://standup.example.com/app/later?a="><b>#c'},
    {type: 'button', label: hostile, url: 'https://standup.example.com/app/join?a=1&b="><b>#c'},
  ],
};

const mails: readonly [string, RenderedMail][] = [
  ...samples.map((mail): [string, RenderedMail] => [
    `${mail.content.kind} in ${mail.language}`,
    renderMail(mail),
  ]),
  ...samples.map((mail): [string, RenderedMail] => [
    `${mail.content.kind} in ${mail.language} with hostile names`,
    renderMail(replaceNames(mail, '<img src=x onerror=alert(1)>')),
  ]),
  [
    'with every type of block',
    {...every, text: toText(every.blocks), html: toHtml(every, 'en'), headers: {}},
  ],
];

/** The words of a text without the marks of lists, quotes and buttons. */
const wordsOf = (text: string) =>
  text
    .replaceAll(/^(?:- |> )/gm, '')
    .replaceAll(/:\n(?=http)/g, '\n')
    .split(/\s+/)
    .filter((word) => word !== '');

describe.each(mails)('the mail %s', (_, mail) => {
  it('fits into 320 px, is dark in the dark, makes no request, and has no finding of axe', async () => {
    await show(mail);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.evaluate(axe);
    // Axe takes a page without a background for white, in the dark too.
    await page.evaluate("document.body.style.background = 'Canvas'");
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({colorScheme});
      const findings = await page.evaluate(
        `axe.run().then(({violations}) => violations.map(({id, nodes}) => id + ' ' + nodes[0].html))`,
      );
      expect([colorScheme, findings]).toEqual([colorScheme, []]);
    }
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe('rgb(18, 18, 18)');
    expect(requests).toEqual([]);
  });

  it('says the same as HTML and as text, with the address of each button in full', async () => {
    await show(mail);
    const shown: string = await page.evaluate("document.querySelector('main').innerText");
    // A link of less weight than a button shows its address only as text.
    const links = mail.blocks.flatMap((block) => (block.type === 'link' ? [block] : []));
    const text = links.reduce((left, link) => left.replace(toText([link]).trim(), link.label), mail.text);
    expect(wordsOf(shown)).toEqual(wordsOf(`${mail.subject}\n${text}`));
    const addresses: string[] = await page.evaluate(
      "[...document.querySelectorAll('a')].map((one) => one.getAttribute('href'))",
    );
    const urls = mail.blocks.flatMap((block) =>
      block.type === 'button' ? [block.url, block.url] : block.type === 'link' ? [block.url] : [],
    );
    expect(addresses).toEqual(urls);
    expect(await page.evaluate("document.querySelectorAll('main img, main script, main b').length")).toBe(0);
  });
});
