import {lifetimes} from '../../domain/core/limits.js';
import type {MailContent, WrittenMail} from '../../domain/mail/mail-content.js';
import {showNameToStranger} from '../names.js';
import type {Reader} from '../reader.js';

/** Shows a code. Relays log subjects, so the subject does not contain it. */
export function writeSignInCode(
  {code, url, purpose, ...asked}: MailContent & {readonly kind: 'sign_in_code'},
  {texts: {codes}}: Reader,
): WrittenMail {
  const texts = codes[purpose];
  // The reader need not be a member: anyone may enter any address.
  const workspace = showNameToStranger(asked.workspace);
  return {
    subject: texts.subject({workspace}),
    blocks: [
      {type: 'code', text: showCode(code)},
      {type: 'paragraph', text: texts.enter({workspace, minutes: lifetimes.signInLink / 60})},
      {type: 'button', label: texts.act, url},
      {type: 'small', text: texts.ignore},
    ],
  };
}

/** Returns a code as people read it. */
export function showCode(code: string): string {
  return code.replace(/^(.{4})(.{4})$/, '$1-$2');
}
