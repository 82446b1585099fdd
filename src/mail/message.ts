import MailComposer from 'nodemailer/lib/mail-composer';
import type {RenderedMail} from './render.js';

export interface MessageHead {
  readonly from: {readonly name: string | undefined; readonly address: string};
  readonly to: string;
  /** The id of the mail. With it and `date`, each attempt sends the same bytes. */
  readonly id: string;
  readonly date: number;
}

/** Builds the bytes of a message. Its two forms are texts: nothing is read from files or addresses. */
export function buildMessage(
  {from, to, id, date}: MessageHead,
  {subject, text, html, headers}: RenderedMail,
): Promise<Buffer> {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const composer = new MailComposer({
    from: {name: from.name ?? '', address: from.address},
    to: {name: '', address: to},
    subject: subject.replaceAll(/\p{Cc}+/gu, ' '),
    text: {content: text},
    html: {content: html},
    messageId: `<${id}@${domain}>`,
    date: new Date(date),
    baseBoundary: id,
    headers: {'Auto-Submitted': 'auto-generated', ...headers},
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
  });
  return composer.compile().build();
}
