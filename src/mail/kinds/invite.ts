import type {MailContent, WrittenMail} from '../../domain/mail/mail-content.js';
import {showNameToStranger} from '../names.js';
import type {Reader} from '../reader.js';

/** Invites a person who is no member yet. */
export function writeInvite(
  invite: MailContent & {readonly kind: 'invite'},
  {texts: {invite: texts}, day, list}: Reader,
): WrittenMail {
  const maker = invite.maker && showNameToStranger(invite.maker.name);
  const workspace = showNameToStranger(invite.workspace);
  const teams = list(invite.teams.map(showNameToStranger).filter((name) => name !== ''));
  return {
    subject: texts.subject({maker, workspace}),
    blocks: [
      {type: 'paragraph', text: texts.who({maker, address: invite.maker?.email, workspace, teams})},
      {type: 'paragraph', text: texts.what},
      {type: 'button', label: texts.join({workspace}), url: invite.url},
      {type: 'small', text: texts.until({day: day(invite.expiresAt)})},
      {type: 'small', text: texts.ignore},
    ],
  };
}
