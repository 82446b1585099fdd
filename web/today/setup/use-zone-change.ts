import {invalidate} from '../../api/queries.ts';
import type {Schema, Team} from '../../api/schema.ts';
import {send} from '../../api/send.ts';
import {toast} from '../../parts/toast.ts';
import {useAction} from '../../parts/use-action.ts';
import {formatCity} from '../../texts/format.ts';
import {texts} from '../../texts/texts.ts';

/**
 * Sets the viewer's own time zone. `team` gets it too, as long as it has neither a zone nor a schedule: the
 * times that its owner chooses next are then those of their own clock.
 */
export function useZoneChange({principal}: Schema<'Me'>, zone: string, team?: Team) {
  return useAction(async () => {
    await send('patch', '/v1/members/{member}', {member: principal.id, body: {timezone: zone}});
    if (team?.timezone === 'UTC' && team.schedule === null)
      await send('patch', '/v1/teams/{team}', {team: team.slug, body: {timezone: zone}});
    toast({text: texts.setup.zone.used({city: formatCity(zone)})});
    await invalidate('member', 'team');
  });
}
