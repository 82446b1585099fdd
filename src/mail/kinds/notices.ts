import type {MailContent, WrittenMail} from '../../domain/mail/mail-content.js';
import {showName, showNameToStranger} from '../names.js';
import type {Reader} from '../reader.js';

type ContentOf<K extends MailContent['kind']> = MailContent & {readonly kind: K};

/** Tells a member that a passkey can sign them in, so that they see it if someone else has added it. */
export function writePasskeyAdded(
  {passkey, at, url, ...of}: ContentOf<'passkey_added'>,
  {texts: {passkey: texts}, day, time}: Reader,
): WrittenMail {
  const workspace = showName(of.workspace);
  return {
    subject: texts.subject,
    blocks: [
      {
        type: 'paragraph',
        text: texts.added({name: passkey && showName(passkey), workspace, day: day(at), time: time(at)}),
      },
      {type: 'paragraph', text: texts.notYou({workspace})},
      {type: 'button', label: texts.sessions, url},
    ],
  };
}

/** Tells the earlier address of a member that it is no longer theirs. Its reader may not be a member. */
export function writeAddressChanged(
  {address, at, url, ...of}: ContentOf<'address_changed'>,
  {texts: {address: texts}, day, time}: Reader,
): WrittenMail {
  const workspace = showNameToStranger(of.workspace);
  return {
    subject: texts.subject,
    blocks: [
      {
        type: 'paragraph',
        text: texts.changed({address: address && showName(address), workspace, day: day(at), time: time(at)}),
      },
      {type: 'paragraph', text: texts.notYou({workspace})},
      {type: 'button', label: texts.open, url},
    ],
  };
}

/** Tells the maker of an invite that a person has accepted it. */
export function writeJoined(
  {url, ...joined}: ContentOf<'joined'>,
  {texts: {joined: texts}, list}: Reader,
): WrittenMail {
  const name = showName(joined.name);
  const teams = list(joined.teams.map(showName)) || showName(joined.workspace);
  return {
    subject: texts.subject({name, teams}),
    blocks: [
      {type: 'paragraph', text: texts.accepted({name, teams})},
      {type: 'button', label: texts.see({name}), url},
    ],
  };
}

/** Tells a member what is unread about a standup. */
export function writeInboxNotice(
  {reason, excerpt, unread, url, date, blocker, ...of}: ContentOf<'inbox'>,
  {texts: {inbox: texts}, day}: Reader,
): WrittenMail {
  const name = of.by === null ? texts.former : showName(of.by);
  const about = {name, author: showName(of.author ?? ''), state: blocker ?? ''};
  const subject = texts[reason === 'mention' && of.author === null ? 'mentionOnYours' : reason](about);
  return {
    subject,
    blocks: [
      {type: 'paragraph', text: texts.of({name: subject, team: showName(of.team), day: day(date)})},
      ...(excerpt === null ? [] : [{type: 'quote', text: showName(excerpt)} as const]),
      ...(unread > 1 ? [{type: 'paragraph', text: texts.more({amount: unread - 1})} as const] : []),
      {type: 'button', label: texts.open, url},
    ],
  };
}

/** Tells those who run a workspace that the receiver of a webhook does not work. */
export function writeWebhookNotice(
  {webhook, state, url}: ContentOf<'webhook'>,
  {texts: {webhook: texts}, day, time}: Reader,
): WrittenMail {
  const name = showName(webhook);
  const at = (instant: string) => texts.at({day: day(instant), time: time(instant)});
  const isDisabled = 'disabledAt' in state;
  return {
    subject: isDisabled ? texts.disabledSubject({name}) : texts.failingSubject({name}),
    blocks: [
      {
        type: 'paragraph',
        text: isDisabled
          ? texts.disabled({name, at: at(state.disabledAt), forFailing: state.forFailing})
          : texts.failing({name, since: at(state.failingSince), until: at(state.until)}),
      },
      ...(isDisabled ? [{type: 'paragraph', text: texts.next} as const] : []),
      {type: 'button', label: texts.see, url},
    ],
  };
}
