// src/mail/: the text of mails, and the only code that speaks SMTP. It decides nothing.
import type {ComposedMail} from '../domain/mail/mail-content.js';

/** A mail as its reader sees it. Text and HTML say the same. */
export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function renderMail({content}: ComposedMail): RenderedMail {
  return {subject: content.workspace, text: content.url, html: `<a href="${content.url}">${content.url}</a>`};
}
