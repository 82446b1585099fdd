// src/mail/: the text of mails, and the only code that speaks SMTP. It decides nothing.
import type {
  ComposedMail,
  MailBlock,
  MailContent,
  RenderedMail,
  WrittenMail,
} from '../domain/mail/mail-content.js';
import {writeInvite} from './kinds/invite.js';
import {
  writeAddressChanged,
  writeInboxNotice,
  writeJoined,
  writePasskeyAdded,
  writeWebhookNotice,
} from './kinds/notices.js';
import {writeReminder} from './kinds/reminder.js';
import {writeLeadSummary, writeReport, writeWeek} from './kinds/reports.js';
import {writeSignInCode} from './kinds/sign-in-code.js';
import {createReader, type Reader} from './reader.js';
import {toHtml} from './to-html.js';
import {toText} from './to-text.js';

export type {RenderedMail} from '../domain/mail/mail-content.js';

/** Writes a mail in the language of its reader, or in English if there is no catalogue in that language. */
export function renderMail(mail: ComposedMail): RenderedMail {
  const reader = createReader(mail);
  const {subject, blocks} = write(mail, reader);
  const written = {subject, blocks: [...blocks, ...writeFoot(mail, reader)]};
  return {
    ...written,
    text: toText(written.blocks),
    html: toHtml(written, reader.locale),
    headers: createUnsubscribeHeaders(mail),
  };
}

function write({content}: ComposedMail, reader: Reader): WrittenMail {
  switch (content.kind) {
    case 'invite':
      return writeInvite(content, reader);
    case 'sign_in_code':
      return writeSignInCode(content, reader);
    case 'reminder':
      return writeReminder(content, reader);
    case 'report':
      return writeReport(content, reader);
    case 'week':
      return writeWeek(content, reader);
    case 'lead_summary':
      return writeLeadSummary(content, reader);
    case 'passkey_added':
      return writePasskeyAdded(content, reader);
    case 'address_changed':
      return writeAddressChanged(content, reader);
    case 'joined':
      return writeJoined(content, reader);
    case 'inbox':
      return writeInboxNotice(content, reader);
    case 'webhook':
      return writeWebhookNotice(content, reader);
  }
}

/** Says why the reader gets such mails, and how they end. */
function writeFoot({content: {kind}, stopUrl}: ComposedMail, {texts: {foot}}: Reader): MailBlock[] {
  const why: Partial<Record<MailContent['kind'], string>> = foot.why;
  const text = why[kind];
  if (stopUrl === undefined || text === undefined) return [];
  return [
    {type: 'small', text},
    {type: 'link', label: foot.stop, url: stopUrl},
  ];
}

/** The headers by which mail clients unsubscribe with one click (RFC 8058, which asks for https). */
function createUnsubscribeHeaders({stopUrl}: ComposedMail): Readonly<Record<string, string>> {
  if (!stopUrl?.startsWith('https:')) return {};
  return {
    'List-Unsubscribe': `<${stopUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
