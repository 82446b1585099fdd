import {useNavigate} from '@tanstack/react-router';
import type {Delivery, Webhook} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {formatWhen} from '../parts/deliveries/durations.ts';
import type {Option} from '../parts/option.tsx';
import {Select} from '../parts/select.tsx';
import {texts} from '../texts/texts.ts';
import type {DeliveryFilter} from './queries.ts';
import {deliveryStates, filterNames, type SpanName, spans} from './search.ts';

const any = '-';
const chosen = '+';

export function DeliveryFilters({
  webhook,
  filter,
  rows,
  onClear,
}: {
  readonly webhook: Webhook;
  readonly filter: DeliveryFilter;
  readonly rows: readonly Delivery[];
  readonly onClear: () => void;
}) {
  const t = texts.webhooks.deliveries;
  const navigate = useNavigate({from: '/webhooks/$webhook'});
  const {state, type, last, since, until, event, replay} = filter;
  const choose = (change: DeliveryFilter): void =>
    void navigate({search: (now) => ({...now, ...change}), replace: true, resetScroll: false});
  const isTime = since !== undefined || until !== undefined;
  const isFiltered = filterNames.some((name) => filter[name] !== undefined);
  const names = Object.keys(spans) as SpanName[];
  return (
    <section
      aria-label={t.filters}
      className="flex flex-wrap items-end gap-3 [&>div]:min-w-35! [&>div]:basis-50 max-md:[&>div]:min-w-32.5! max-md:[&>div]:grow max-md:[&>div]:basis-32.5"
    >
      <Select
        label={t.state}
        onChange={(one) => choose({state: deliveryStates.find((name) => name === one)})}
        options={[
          {id: any, label: t.everyState},
          ...deliveryStates.map((one) => ({id: one, label: t.states[one]})),
        ]}
        value={state ?? any}
      />
      <Select
        label={t.type}
        onChange={(one) => choose({type: one === any ? undefined : one})}
        options={[{id: any, label: t.everyType}, ...listEventTypeOptions(webhook, rows, type)]}
        value={type ?? any}
      />
      <Select
        label={t.time}
        onChange={(one) => {
          if (one === chosen) return;
          choose({last: names.find((name) => name === one), since: undefined, until: undefined});
        }}
        options={[
          {id: any, label: t.anyTime},
          ...names.map((one) => ({id: one, label: t.times[one]})),
          ...(isTime ? [{id: chosen, label: describeTimeFilter(since, until)}] : []),
        ]}
        value={last ?? (isTime ? chosen : any)}
      />
      {event !== undefined && (
        <Button icon="cross" onPress={() => choose({event: undefined})} size="small">
          {t.event({id: event})}
        </Button>
      )}
      {replay !== undefined && (
        <Button icon="cross" onPress={() => choose({replay: undefined})} size="small">
          {t.replay({id: replay})}
        </Button>
      )}
      {isFiltered && (
        <Button kind="quiet" onPress={onClear}>
          {t.clear}
        </Button>
      )}
    </section>
  );
}

function describeTimeFilter(since: string | undefined, until: string | undefined): string {
  const now = Date.now();
  const say = (instant: string | undefined) => (instant === undefined ? '…' : formatWhen(instant, now));
  // Shows the end of an hour as the start of the next one.
  const end = until === undefined ? undefined : new Date(Date.parse(until) + 1).toISOString();
  return texts.webhooks.deliveries.chosenTime({from: say(since), until: say(end)});
}

function listEventTypeOptions(
  {events}: Webhook,
  rows: readonly Delivery[],
  type: string | undefined,
): Option[] {
  const named = events.filter((one) => !one.includes('*'));
  const shown = rows.map(({event_type: one}) => one);
  const all = new Set([...named, ...shown, ...(type === undefined ? [] : [type])]);
  return [...all].toSorted().map((one) => ({id: one, label: one}));
}
