import {invalidate} from '../../api/queries.ts';
import type {Schema} from '../../api/schema.ts';
import {send} from '../../api/send.ts';
import {toast} from '../../parts/toast.ts';
import {useAction} from '../../parts/use-action.ts';
import {formatCity} from '../../texts/format.ts';
import {texts} from '../../texts/texts.ts';

/** Sets the viewer's own time zone. */
export function useZoneChange({principal}: Schema<'Me'>, zone: string) {
  return useAction(async () => {
    await send('patch', '/v1/members/{member}', {member: principal.id, body: {timezone: zone}});
    toast({text: texts.setup.zone.used({city: formatCity(zone)})});
    await invalidate('member');
  });
}
