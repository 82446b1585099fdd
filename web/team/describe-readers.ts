import type {Schema} from '../api/schema.ts';
import {formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';

/** Lists what changes for each group of people when a team gets another visibility. */
export function describeReaders(
  readers: Schema<'TeamReaders'>,
  to: Schema<'TeamReaders'>['visibility'],
): readonly string[] {
  const t = texts.team.visibility;
  const {members, observers, admins, others, service_accounts: programs, webhooks, standups} = readers;
  if (to === 'open') {
    const since = standups.since === null ? '' : formatDay(standups.since, {});
    return [t.opens({count: standups.count, others, since}), t.opensForPrograms];
  }
  return [
    t.closes({others}),
    t.keep({people: members.count + observers.count, admins: admins.count}),
    ...(programs.count === 0 ? [t.noPrograms] : [t.programs({names: listNames(programs)})]),
    ...(webhooks.count === 0 ? [t.noWebhooks] : [t.webhooks({names: listNames(webhooks)})]),
    ...(readers.slack_channel_id === null ? [] : [t.channel]),
    t.sent,
  ];
}

/** Lists the first names, and says how many more there are. */
function listNames({count, names}: Schema<'TeamReaders'>['webhooks']): string {
  return texts.team.preview.names({names: names.join(', '), more: count - names.length});
}
