import type {MailContent, WrittenMail} from '../../domain/mail/mail-content.js';
import {showName} from '../names.js';
import type {Reader} from '../reader.js';

/** A closing that is nearer than this (minutes) is said by the time that is left. */
const soon = 60;

/** Asks a member for their standup. */
export function writeReminder(
  {
    name,
    moment,
    teams,
    minutesLeft,
    question,
    blockers,
    blockersUrl,
    url,
    laterUrl,
  }: MailContent & {readonly kind: 'reminder'},
  {texts: {reminder: texts}, time, date, list}: Reader,
): WrittenMail {
  const names = list(teams.map((team) => showName(team.name)));
  const [first] = teams;
  const closes = time(first?.closesAt ?? '');
  const isSoon = moment === 'before_closing' && minutesLeft <= soon;
  const subject = isSoon
    ? texts.soon({teams: names, minutes: minutesLeft})
    : moment === 'asked'
      ? texts.asked({teams: names})
      : texts.open({teams: names, time: closes});
  return {
    subject,
    blocks: [
      {
        type: 'paragraph',
        text: texts.hello({name: showName(name), question: question && showName(question)}),
      },
      ...(teams.length < 2
        ? []
        : [
            {
              type: 'list',
              title: texts.teams,
              items: teams.map((team) => texts.team({team: showName(team.name), time: time(team.closesAt)})),
            } as const,
          ]),
      {type: 'button', label: texts.write, url},
      {type: 'link', label: texts.later, url: laterUrl},
      ...(blockers.length === 0
        ? []
        : [
            {
              type: 'list',
              title: texts.stillBlocked,
              items: blockers.map(({text, team, since}) =>
                texts.blocker({text: showName(text), team: showName(team), day: date(since)}),
              ),
            } as const,
            {type: 'link', label: texts.solved({count: blockers.length}), url: blockersUrl} as const,
          ]),
    ],
  };
}
