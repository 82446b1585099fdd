import type {Browser} from 'playwright-core';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';

// oxlint-disable-next-line typescript/no-explicit-any -- blocks of many shapes
type Shape = any;

/** The viewer's time zone, and names for Slack ids. */
export interface Onlooker {
  readonly timezone: string;
  /** Names by Slack id, such as `U…` or `C…`. */
  readonly names: Readonly<Record<string, string>>;
}

/** One item that a person sees in Slack. */
export type Sight =
  | {
      readonly kind: 'message';
      readonly blocks?: readonly Shape[];
      readonly text: string;
      /** Time at which the item arrives (ms). */
      readonly at: number;
      /** Author of the item; by default the bot. */
      readonly by?: string;
      readonly onlyForYou?: boolean;
      /** True if the item is a reply to the message before it. */
      readonly reply?: boolean;
    }
  | {readonly kind: 'modal'; readonly view: Shape}
  | {readonly kind: 'home'; readonly view: Shape}
  /** A caption that says what a person does next in the story. */
  | {readonly kind: 'caption'; readonly text: string};

/**
 * Draws Block Kit roughly as Slack shows it, so that people can look at the bot's messages and forms. Throws
 * at an unknown block or element, since otherwise a part could be missing from a picture unnoticed.
 */
export function drawSlack(title: string, sights: readonly Sight[], onlooker: Onlooker): string {
  const body = sights.map((sight) => drawSight(sight, onlooker)).join('\n');
  return `<!doctype html><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${style}</style><main><h1>${escapeHtml(title)}</h1>${body}</main>`;
}

/** Takes a picture of each page, 760 px wide and as high as the page needs. Returns the paths. */
export async function takePictures(
  browser: Browser,
  folder: string,
  pages: Readonly<Record<string, string>>,
): Promise<string[]> {
  mkdirSync(folder, {recursive: true});
  const context = await browser.newContext({viewport: {width: 760, height: 400}, deviceScaleFactor: 1});
  // The page sends no requests, so pictures of people appear as squares.
  await context.route(/^https?:/, (route) => route.abort());
  const page = await context.newPage();
  const paths: string[] = [];
  for (const [name, html] of Object.entries(pages)) {
    await page.setContent(html);
    const path = join(folder, `${name}.png`);
    await page.screenshot({path, fullPage: true});
    paths.push(path);
  }
  await context.close();
  return paths;
}

function drawSight(sight: Sight, onlooker: Onlooker): string {
  switch (sight.kind) {
    case 'caption':
      return `<p class="caption">${escapeHtml(sight.text)}</p>`;
    case 'modal':
      return drawModal(sight.view, onlooker);
    case 'home':
      return `<section class="home">${drawBlocks(sight.view.blocks, onlooker)}</section>`;
    case 'message': {
      const {blocks, text, at, by = 'Standup', onlyForYou = false, reply = false} = sight;
      const clock = new Date(at).toLocaleTimeString('en-GB', {
        timeZone: onlooker.timezone,
        hour: '2-digit',
        minute: '2-digit',
      });
      const shown =
        blocks === undefined || blocks.length === 0
          ? `<p>${drawMrkdwn(text, onlooker)}</p>`
          : drawBlocks(blocks, onlooker);
      const app = by === 'Standup' ? '<span class="app">APP</span>' : '';
      const only = onlyForYou ? '<p class="only">Only visible to you</p>' : '';
      return `<article class="${reply ? 'reply' : ''} ${onlyForYou ? 'private' : ''}"><div class="face">${escapeHtml(by.slice(0, 1))}</div><div class="said">${only}<p class="who"><b>${escapeHtml(by)}</b>${app}<time>${clock}</time></p>${shown}</div></article>`;
    }
  }
}

function drawModal(view: Shape, onlooker: Onlooker): string {
  const buttons = [view.close?.text ?? 'Cancel', ...(view.submit === undefined ? [] : [view.submit.text])];
  const shown = buttons.map((label: string, i) => drawButton(label, i === 1 ? 'primary' : undefined));
  return `<section class="modal"><h2>${escapeHtml(view.title.text)}</h2>${drawBlocks(view.blocks, onlooker)}<footer>${shown.join('')}</footer></section>`;
}

function drawBlocks(blocks: readonly Shape[], onlooker: Onlooker): string {
  return blocks.map((block) => drawBlock(block, onlooker)).join('');
}

function drawBlock(block: Shape, onlooker: Onlooker): string {
  switch (block.type) {
    case 'section': {
      const text = block.text === undefined ? '' : drawText(block.text, onlooker);
      const parts = (block.fields ?? []).map((field: Shape) => `<div>${drawText(field, onlooker)}</div>`);
      const grid = parts.length === 0 ? '' : `<div class="fields">${parts.join('')}</div>`;
      const beside = block.accessory === undefined ? '' : drawElement(block.accessory, onlooker);
      return `<div class="section"><div>${text}${grid}</div>${beside}</div>`;
    }
    case 'rich_text':
      return `<div class="rich">${block.elements.map((part: Shape) => drawRichPart(part, onlooker)).join('')}</div>`;
    case 'context':
      return `<div class="context">${block.elements.map((part: Shape) => drawContextPart(part, onlooker)).join('')}</div>`;
    case 'actions':
      return `<div class="actions">${block.elements.map((part: Shape) => drawElement(part, onlooker)).join('')}</div>`;
    case 'context_actions':
      return `<div class="actions">${block.elements.map((part: Shape) => drawElement(part, onlooker)).join('')}</div>`;
    case 'header':
      return `<h3>${drawText(block.text, onlooker)}</h3>`;
    case 'divider':
      return '<hr>';
    case 'image':
      return `<div class="image">${escapeHtml(block.alt_text)}</div>`;
    case 'input': {
      const optional = block.optional === true ? '<span class="optional"> (optional)</span>' : '';
      const hint =
        block.hint === undefined
          ? ''
          : `<small>${drawText(block.hint, onlooker).replaceAll('\n', '<br>')}</small>`;
      return `<div class="input"><label>${drawText(block.label, onlooker)}${optional}</label>${drawElement(block.element, onlooker)}${hint}</div>`;
    }
    default:
      throw new Error(`A block that cannot be drawn: ${JSON.stringify(block).slice(0, 200)}`);
  }
}

function drawContextPart(part: Shape, onlooker: Onlooker): string {
  if (part.type === 'image') return `<span class="thumb">${escapeHtml(part.alt_text.slice(0, 1))}</span>`;
  return `<span>${drawText(part, onlooker)}</span>`;
}

function drawText(text: Shape, onlooker: Onlooker): string {
  if (text.type === 'plain_text') return drawEmoji(escapeHtml(text.text)).replaceAll('\n', '<br>');
  if (text.type === 'mrkdwn') return drawMrkdwn(text.text, onlooker);
  throw new Error(`A text that cannot be drawn: ${JSON.stringify(text).slice(0, 200)}`);
}

function drawRichPart(part: Shape, onlooker: Onlooker): string {
  const inner = () => part.elements.map((element: Shape) => drawRichElement(element, onlooker)).join('');
  switch (part.type) {
    case 'rich_text_section':
      return `<div>${inner()}</div>`;
    case 'rich_text_quote':
      return `<blockquote>${inner()}</blockquote>`;
    case 'rich_text_preformatted':
      return `<pre>${inner()}</pre>`;
    case 'rich_text_list': {
      const tag = part.style === 'ordered' ? 'ol' : 'ul';
      const items = part.elements.map((item: Shape) => `<li>${drawRichPart(item, onlooker)}</li>`);
      return `<${tag} style="margin-left:${22 * (part.indent ?? 0)}px" start="${(part.offset ?? 0) + 1}">${items.join('')}</${tag}>`;
    }
    default:
      throw new Error(`A part of rich text that cannot be drawn: ${JSON.stringify(part).slice(0, 200)}`);
  }
}

function drawRichElement(element: Shape, onlooker: Onlooker): string {
  const {style: styled = {}} = element;
  const wrap = (html: string) =>
    Object.entries({bold: 'b', italic: 'i', strike: 's', code: 'code', underline: 'u'}).reduce(
      (inside, [name, tag]) => (styled[name] === true ? `<${tag}>${inside}</${tag}>` : inside),
      html,
    );
  switch (element.type) {
    case 'text':
      return wrap(escapeHtml(element.text).replaceAll('\n', '<br>'));
    case 'link':
      return wrap(`<a title="${escapeHtml(element.url)}">${escapeHtml(element.text ?? element.url)}</a>`);
    case 'emoji':
      return wrap(drawEmoji(`:${escapeHtml(element.name)}:`));
    case 'user':
      return wrap(`<mark>@${escapeHtml(onlooker.names[element.user_id] ?? element.user_id)}</mark>`);
    case 'channel':
      return wrap(`<mark>#${escapeHtml(onlooker.names[element.channel_id] ?? element.channel_id)}</mark>`);
    case 'date':
      return wrap(escapeHtml(drawDate(element.timestamp, element.format, onlooker)));
    case 'color':
      return wrap(escapeHtml(element.value));
    default:
      throw new Error(`An element that cannot be drawn: ${JSON.stringify(element).slice(0, 200)}`);
  }
}

function drawElement(element: Shape, onlooker: Onlooker): string {
  switch (element.type) {
    case 'button':
      return drawButton(element.text.text, element.style);
    case 'overflow':
      return `<span class="button" title="menu">⋯</span><span class="menu">${element.options.map((option: Shape) => `<span>${drawText(option.text, onlooker)}</span>`).join('')}</span>`;
    case 'image':
      return `<span class="thumb">${escapeHtml(element.alt_text.slice(0, 1))}</span>`;
    case 'checkboxes':
    case 'radio_buttons': {
      const chosen = new Set(
        [...(element.initial_options ?? []), element.initial_option].map((option?: Shape) => option?.value),
      );
      const rows = element.options.map(
        (option: Shape) =>
          `<div>${chosen.has(option.value) ? '☑' : '☐'} ${drawText(option.text, onlooker)}${option.description === undefined ? '' : `<small>${drawText(option.description, onlooker)}</small>`}</div>`,
      );
      return `<div>${rows.join('')}</div>`;
    }
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
      return `<div class="field ${element.multiline === true ? 'tall' : ''}">${drawValue(element.initial_value, element.placeholder)}</div>`;
    case 'rich_text_input':
      return `<div class="field tall"><div class="tools"><b>B</b> <i>I</i> <s>S</s> 🔗 ☰ ❝ ⟨⟩</div>${element.initial_value === undefined ? drawValue(undefined, element.placeholder) : drawBlock(element.initial_value, onlooker)}</div>`;
    case 'timepicker':
      return drawSelect(element.initial_time, element.placeholder);
    case 'datepicker':
      return drawSelect(element.initial_date, element.placeholder);
    case 'static_select':
    case 'external_select':
      return drawSelect(element.initial_option?.text.text, element.placeholder);
    case 'multi_static_select':
    case 'multi_external_select':
      return drawSelect(
        element.initial_options?.map((option: Shape) => option.text.text).join(', '),
        element.placeholder,
      );
    case 'multi_users_select':
      return drawSelect(
        element.initial_users?.map((id: string) => onlooker.names[id] ?? id).join(', '),
        element.placeholder,
      );
    case 'users_select':
      return drawSelect(onlooker.names[element.initial_user] ?? element.initial_user, element.placeholder);
    case 'conversations_select':
      return drawSelect(
        onlooker.names[element.initial_conversation] ??
          element.initial_conversation ??
          (element.default_to_current_conversation ? '# this channel' : undefined),
        element.placeholder,
      );
    default:
      throw new Error(`An element that cannot be drawn: ${JSON.stringify(element).slice(0, 200)}`);
  }
}

function drawButton(label: string, kind: string | undefined): string {
  return `<span class="button ${kind ?? ''}">${drawEmoji(escapeHtml(label))}</span>`;
}

function drawSelect(value: string | undefined, placeholder: Shape): string {
  return `<span class="select">${drawValue(value, placeholder)} ▾</span>`;
}

function drawValue(value: string | undefined, placeholder: Shape): string {
  if (value !== undefined && value !== '') return escapeHtml(value).replaceAll('\n', '<br>');
  return `<span class="empty">${escapeHtml(placeholder?.text ?? '')}&nbsp;</span>`;
}

/** Renders Slack's own markup in a text: links, mentions, dates, bold, italic, strike, code. */
function drawMrkdwn(text: string, onlooker: Onlooker): string {
  const pieces = text.split(/(<[^<>]+>|`[^`\n]+`)/);
  return pieces
    .map((piece) => {
      if (piece.startsWith('`')) return `<code>${unescape(piece.slice(1, -1))}</code>`;
      if (piece.startsWith('<') && piece.endsWith('>'))
        return drawMentionOrLink(piece.slice(1, -1), onlooker);
      return drawEmoji(escapeHtml(decode(piece)))
        .replaceAll(/(^|[\s(])\*([^*\n]+)\*(?=$|[\s).,:;!?])/g, '$1<b>$2</b>')
        .replaceAll(/(^|[\s(])_([^_\n]+)_(?=$|[\s).,:;!?])/g, '$1<i>$2</i>')
        .replaceAll(/(^|[\s(])~([^~\n]+)~(?=$|[\s).,:;!?])/g, '$1<s>$2</s>')
        .replaceAll('\n', '<br>');
    })
    .join('');
}

function drawMentionOrLink(mark: string, onlooker: Onlooker): string {
  const [target = '', label] = mark.split('|');
  if (target.startsWith('@')) return `<mark>@${escapeHtml(onlooker.names[target.slice(1)] ?? target)}</mark>`;
  if (target.startsWith('#')) return `<mark>#${escapeHtml(onlooker.names[target.slice(1)] ?? target)}</mark>`;
  const [, seconds, format] = /^!date\^(\d+)\^([^^]+)/.exec(target) ?? [];
  if (seconds !== undefined) return escapeHtml(drawDate(Number(seconds), format ?? '', onlooker));
  return `<a title="${escapeHtml(target)}">${escapeHtml(decode(label ?? target))}</a>`;
}

/** Renders a date in Slack's format; supports only the tokens that the bot uses. */
function drawDate(seconds: number, format: string, {timezone: timeZone}: Onlooker): string {
  const say = (options: Intl.DateTimeFormatOptions) =>
    new Date(seconds * 1_000).toLocaleString('en-GB', {timeZone, ...options});
  return format.replaceAll(/\{(\w+)\}/g, (_, token: string) => {
    if (token === 'time') return say({hour: '2-digit', minute: '2-digit'});
    if (token.startsWith('date_short')) return say({day: 'numeric', month: 'short', year: 'numeric'});
    if (token.startsWith('day')) return say({weekday: 'long', day: 'numeric', month: 'long'});
    if (token.startsWith('date')) return say({day: 'numeric', month: 'long', year: 'numeric'});
    return `{${token}}`;
  });
}

/** Shows emoji by name, since the fonts of a test machine may not have them. */
function drawEmoji(html: string): string {
  return html.replaceAll(/:([a-z0-9_+-]+):/g, '<span class="emoji">$1</span>');
}

function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function unescape(text: string): string {
  return escapeHtml(decode(text));
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const style = `
* { box-sizing: border-box }
body { margin: 0; background: #fff; color: #1d1c1d; font: 15px/1.46 'Noto Sans', 'DejaVu Sans', sans-serif }
main { padding: 16px 20px 24px; max-width: 760px }
h1 { font-size: 17px; margin: 0 0 12px; border-bottom: 1px solid #ddd; padding-bottom: 8px }
h2 { font-size: 18px; margin: 0 0 12px } h3 { font-size: 17px; margin: 4px 0 8px }
p { margin: 0 } hr { border: 0; border-top: 1px solid #ddd; margin: 12px 0 }
.caption { color: #616061; font-style: italic; margin: 18px 0 6px; border-left: 3px solid #ecb22e; padding-left: 8px }
article { display: flex; gap: 8px; padding: 6px 0 } article.reply { margin-left: 44px; border-left: 2px solid #eee; padding-left: 10px }
article.private .said { background: #f8f8f8; padding: 6px 8px; border-radius: 6px }
.face { width: 36px; height: 36px; border-radius: 6px; background: #1f3a5f; color: #fff; display: grid; place-items: center; flex: none; font-weight: bold }
.said { min-width: 0; flex: 1; overflow-wrap: anywhere } .only { color: #616061; font-size: 12px }
.who { margin-bottom: 2px } time { color: #616061; font-size: 12px; margin-left: 8px }
.app { background: #e8e8e8; color: #616061; font-size: 10px; border-radius: 2px; padding: 1px 3px; margin-left: 5px }
.section { display: flex; justify-content: space-between; gap: 12px; margin: 4px 0 } .fields { display: grid; grid-template-columns: 1fr 1fr; gap: 6px }
.rich { margin: 4px 0 } .rich ul, .rich ol { margin: 2px 0; padding-left: 26px }
blockquote { margin: 4px 0; border-left: 4px solid #ddd; padding-left: 12px }
pre, code { background: #f6f6f6; border: 1px solid #e2e2e2; border-radius: 3px; font: 12px/1.5 'DejaVu Sans Mono', monospace } code { color: #c01343; padding: 1px 3px } pre { padding: 8px; white-space: pre-wrap; margin: 4px 0 }
mark { background: #e8f5fa; color: #1264a3; border-radius: 3px; padding: 0 2px } a { color: #1264a3 }
.context { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; color: #616061; font-size: 13px; margin: 4px 0 }
.thumb { width: 20px; height: 20px; border-radius: 4px; background: #4a154b; color: #fff; display: inline-grid; place-items: center; font-size: 11px }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin: 8px 0; align-items: center }
.button, .select { border: 1px solid #bbb; border-radius: 4px; padding: 3px 10px; font-size: 13px; font-weight: 600; display: inline-block; background: #fff }
.primary { background: #007a5a; color: #fff; border-color: #007a5a } .danger { color: #e01e5a; border-color: #e01e5a }
.menu { border: 1px dashed #ccc; border-radius: 4px; font-size: 12px; padding: 2px 6px; color: #616061 } .menu span + span::before { content: ' · ' }
.select { font-weight: normal; min-width: 160px } .empty { color: #8d8d8d }
.modal, .home { border: 1px solid #ccc; border-radius: 8px; padding: 16px 20px; margin: 10px 0 } .modal { max-width: 520px; box-shadow: 0 4px 16px #0002 }
.modal footer { display: flex; justify-content: flex-end; gap: 8px; margin-top: 12px }
.input { margin: 10px 0 } .input label { font-weight: 700; display: block; margin-bottom: 3px } .optional { color: #616061; font-weight: 400 }
.input small, small { color: #616061; display: block; font-size: 12px; margin-top: 3px }
.field { border: 1px solid #bbb; border-radius: 4px; padding: 6px 10px } .tall { min-height: 74px } .tools { color: #888; border-bottom: 1px solid #eee; margin-bottom: 6px }
.emoji { background: #fdf1cf; border-radius: 8px; font-size: 11px; padding: 0 5px; color: #7a5a00 }
.image { background: #eee; padding: 20px; text-align: center }
`;
