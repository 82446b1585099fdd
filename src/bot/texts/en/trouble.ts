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
  notShown: (team: string, channel: string) => `I can’t post ${team} standups and reports in ${channel}.`,
  fix: (fix: string, channel: string, code: string) => `${fix} (Slack says ${code} of ${channel}.)`,
  fixes: {
    notIn: (bot: string) => `I’m not in the channel. Type /invite @${bot} there.`,
    notFound: (bot: string) =>
      `The channel was deleted, or it is private and I’m not in it. Type /invite @${bot} there, or choose another channel in Settings.`,
    archived: 'It’s archived. Unarchive it, or choose another channel in Settings.',
    scope: 'The app lacks a permission. Install it again from its manifest.',
    token: 'Slack no longer accepts the app’s token. Install the app again.',
    other: 'Slack does not let the app post there. Ask a Slack admin, or choose another channel in Settings.',
  },
  kept: (at: string) => `Nothing is lost, and I’ll keep trying. Last try: ${at}.`,
  solved: (
    team: string,
    channel: string,
    {standups, reports, held}: {standups: number; reports: number; held: number},
  ) =>
    `Solved. I posted ${countMessages(standups, reports)} of ${team} in ${channel}${held > 0 ? `, ${held} more to come` : ''}.`,
  lost: (
    team: string,
    channel: string,
    {standups, reports, count}: {standups: number; reports: number; count: number},
  ) =>
    `${countMessages(standups, reports)} of ${team} may be missing in ${channel}. Check first whether ${plural(count, {one: 'it is', other: 'they are'})} there. “Post again” posts ${plural(count, {one: 'it', other: 'them'})} again.`,
  over: (team: string, channel: string) => `I can post ${team} standups and reports in ${channel} again.`,
  tryAgain: 'Try again',
  postAgain: 'Post again',
  trying: 'Trying again. I’ll update the message above.',
};
