import type {Schema} from '../../api/schema.ts';
import {Button} from '../../parts/button.tsx';
import {ProblemNote} from '../../parts/problem-note.tsx';
import {findBrowserZone} from '../../parts/zones.ts';
import {formatCity} from '../../texts/format.ts';
import {texts} from '../../texts/texts.ts';
import {addSkip} from './skips.ts';
import {useZoneChange} from './use-zone-change.ts';

/** Offers the time zone of the device to a member who has chosen none. */
export function ZoneLine({me}: {readonly me: Schema<'Me'>}) {
  const zone = findBrowserZone();
  const {run, isPending, problem} = useZoneChange(me, zone);
  const {zone: say} = texts.setup;
  return (
    <section
      aria-label={say.label}
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-inset px-4 py-2"
    >
      <p>{say.question({city: formatCity(zone)})}</p>
      <Button isPending={isPending} onPress={() => void run()} size="small">
        {say.use}
      </Button>
      <Button kind="quiet" onPress={() => addSkip(me.principal.id, 'zone')} size="small">
        {say.later}
      </Button>
      {problem !== undefined && <ProblemNote onRetry={() => void run()} problem={problem} />}
    </section>
  );
}
