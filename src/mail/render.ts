// src/mail/: the text of mails, and the only code that speaks SMTP. It decides nothing.
import type {ComposedMail, RenderedMail, WrittenMail} from '../domain/mail/mail-content.js';
import {writeInvite} from './kinds/invite.js';
import {writeSignInCode} from './kinds/sign-in-code.js';
import {createReader, type Reader} from './reader.js';
import {toHtml} from './to-html.js';
import {toText} from './to-text.js';

export type {RenderedMail} from '../domain/mail/mail-content.js';

/** Writes a mail in the language of its reader, or in English if there is no catalogue in that language. */
export function renderMail(mail: ComposedMail): RenderedMail {
  const reader = createReader(mail);
  const written = write(mail, reader);
  return {...written, text: toText(written.blocks), html: toHtml(written, reader.locale)};
}

function write({content}: ComposedMail, reader: Reader): WrittenMail {
  switch (content.kind) {
    case 'invite':
      return writeInvite(content, reader);
    case 'sign_in_code':
      return writeSignInCode(content, reader);
  }
}
