import {createPlural} from '../plural.js';

const plural = createPlural('en');

/** Mentions reports only if there are any; without either, says that there are no standups. */
function countMessages(standups: number, reports: number): string {
  const counted = [
    ...(standups > 0 || reports === 0 ? [plural(standups, {one: '# standup', other: '# standups'})] : []),
    ...(reports > 0 ? [plural(reports, {one: '# report', other: '# reports'})] : []),
  ];
  return counted.join(' and ');
}

/** Sentences for a channel that does not show what it should. */
export const trouble = {
  notShown: (team: string, channel: string) => `Standups and reports of ${team} are not shown in ${channel}.`,
  fix: (fix: string, channel: string, code: string) => `${fix} (Slack says ${code} of ${channel}.)`,
  fixes: {
    notIn: (bot: string) => `The bot is not in the channel: type /invite @${bot} there.`,
    notFound: (bot: string) =>
      `The channel is gone, or it is private and the bot is not in it: type /invite @${bot} there, or give the team another channel.`,
    archived: 'The channel is archived: unarchive it, or give the team another channel.',
    scope: 'The app lacks a permission: install it again from its manifest.',
    token: 'Slack no longer takes the token of the app: install the app again.',
    other:
      'Slack does not let the app post there: ask those who run your Slack workspace, or give the team another channel.',
  },
  kept: (at: string) => `All of them are saved, and it is tried again from time to time; last ${at}.`,
  solved: (
    team: string,
    channel: string,
    {standups, reports, held}: {standups: number; reports: number; held: number},
  ) =>
    `Solved: ${countMessages(standups, reports)} of ${team} ${plural(standups + reports, {one: 'was', other: 'were'})} shown in ${channel}${held > 0 ? `, ${held} more to come` : ''}.`,
  lost: (
    team: string,
    channel: string,
    {standups, reports, count}: {standups: number; reports: number; count: number},
  ) =>
    `Of ${countMessages(standups, reports)} of ${team} it is not known, or not true, that ${plural(count, {one: 'it stands', other: 'they stand'})} in ${channel}. “Post again” posts ${plural(count, {one: 'it', other: 'them'})}: look first whether ${plural(count, {one: 'it is', other: 'they are'})} there.`,
  over: (team: string, channel: string) => `Standups and reports of ${team} are shown in ${channel} again.`,
  tryAgain: 'Try again',
  postAgain: 'Post again',
  trying: 'Trying again. The message above will say how it ends.',
};
