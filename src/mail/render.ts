// src/mail/: the text of mails, and the only code that speaks SMTP. It decides nothing.
import type {ComposedMail, WrittenMail} from '../domain/mail/mail-content.js';
import {writeInvite} from './kinds/invite.js';
import {writeSignInCode} from './kinds/sign-in-code.js';
import {createReader, type Reader} from './reader.js';
import {toHtml} from './to-html.js';
import {toText} from './to-text.js';

/** A mail as its reader sees it. Text and HTML say the same. */
export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function renderMail(mail: ComposedMail): RenderedMail {
  const reader = createReader(mail);
  const written = writeFor(reader, mail);
  return {subject: written.subject, text: toText(written.blocks), html: toHtml(written, reader.locale)};
}

/** Writes a mail in the language of its reader, or in English if there is no catalogue in that language. */
export function writeMail(mail: ComposedMail): WrittenMail {
  return writeFor(createReader(mail), mail);
}

function writeFor(reader: Reader, {content}: ComposedMail): WrittenMail {
  switch (content.kind) {
    case 'invite':
      return writeInvite(content, reader);
    case 'sign_in_code':
      return writeSignInCode(content, reader);
  }
}
