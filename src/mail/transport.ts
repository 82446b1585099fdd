import {composeId} from '../domain/core/ids.js';
import type {MailContent} from '../domain/mail/mail-content.js';
import {toAsciiAddress} from '../domain/mail/mail-address.js';
import type {MailTransport} from '../domain/mail/mail-transport.js';
import {showCode} from './kinds/sign-in-code.js';
import {buildMessage, type MessageHead} from './message.js';
import {renderMail} from './render.js';
import {createSmtp, type SmtpSettings} from './smtp.js';

/** Sends mails by a server. An address that only a server with SMTPUTF8 could take counts as refused. */
export function createMailSending(server: SmtpSettings, from: MessageHead['from']): MailTransport {
  const smtp = createSmtp(server);
  return {
    mode: 'sent',
    async send({suffix, queuedAt, to: given, composed, beforeEnd, signal}) {
      const to = toAsciiAddress(given);
      if (to === undefined)
        return {stage: 'address_refused', detail: 'The address has characters that mail servers refuse.'};
      const head = {from, to, id: composeId('mail', queuedAt, suffix), date: queuedAt};
      const message = await buildMessage(head, renderMail(composed));
      const secrets = listSecrets(composed.content);
      return smtp.send({from: from.address, to, message, secrets, beforeEnd, signal});
    },
    check: smtp.check,
  };
}

/** Returns the secrets of a mail, as its text shows them: a person who has one can sign in or join. */
function listSecrets(content: MailContent): string[] {
  if (content.kind === 'sign_in_code') return [content.code, showCode(content.code)];
  return content.kind === 'invite' ? [content.url.slice(content.url.lastIndexOf('.') + 1)] : [];
}

/** Keeps mails in development: each is a line of the log with its link. */
export const keptMails: MailTransport = {
  mode: 'kept',
  describe: (composed) => `${renderMail(composed).subject} → ${composed.content.url}`,
};
