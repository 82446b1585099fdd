import {useQuery} from '@tanstack/react-query';
import {useEffect, useRef, useState} from 'react';
import type {NewReplay as Asked, Replay, Webhook} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {CheckBox, CheckBoxGroup} from '../parts/check-box.tsx';
import {eventTypesQuery} from '../parts/event-types.ts';
import {fieldErrorDetail} from '../parts/field-error.ts';
import {FormOverlay} from '../parts/form-overlay.tsx';
import {bindFields} from '../parts/form.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {RadioGroup} from '../parts/radio-group.tsx';
import {Select} from '../parts/select.tsx';
import {TextField} from '../parts/text-field.tsx';
import {texts} from '../texts/texts.ts';
import {findMatchingTypes} from './event-patterns.ts';
import {Hint} from './hint.tsx';
import {healthQuery} from './queries.ts';
import {firstChoice, type ReplayChoice, toReplayRequest, spans} from './replay-choice.ts';
import {useReplayCount} from './use-count.ts';
import {useSingleAction} from './use-intent.ts';

export function NewReplay({
  webhook,
  onClose,
  onBegun,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onBegun: () => void;
}) {
  const t = texts.webhookChanges.replay;
  const {data: types = []} = useQuery(eventTypesQuery);
  // Use the health that the page has already read, without another request.
  const {data: health} = useQuery({...healthQuery(webhook.id, 0), enabled: false});
  const [choice, setChoice] = useState<ReplayChoice>(firstChoice);
  const {count, isCounting, problem: notCounted, recount} = useReplayCount(webhook);
  const {run, isPending, problem, renew, reset} = useSingleAction((key, counted: Replay) =>
    send('post', '/v1/webhooks/{webhook}/replay', {
      webhook: webhook.id,
      key,
      body: readReplayParameters(counted),
    }),
  );
  const countChoice = (next: ReplayChoice): void => recount(toReplayRequest(next, Date.now()));
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) countChoice(choice);
    isFirst.current = false;
  });

  function choose(change: Partial<ReplayChoice>): void {
    const next = {...choice, ...change};
    renew();
    reset();
    setChoice(next);
    // People type a time piece by piece, so a change to it starts no count.
    if (next.span === 'own' && ('from' in change || 'until' in change)) recount(undefined);
    else countChoice(next);
  }

  const {field} = bindFields(choice, choose);

  async function submit(): Promise<void> {
    if (count === undefined) countChoice(choice);
    else if (canSend && (await run(count)) !== undefined) onBegun();
  }

  const matched = count?.progress.matched ?? 0;
  const waiting = health?.backlog.pending ?? 0;
  const canSend = matched > 0 && webhook.enabled;
  const needsTimes =
    choice.span === 'own' && toReplayRequest({...choice, everyType: true}, Date.now()) === undefined;
  return (
    <FormOverlay
      cancel={t.cancel}
      cure={problem?.code === 'limit_reached' ? t.runs : undefined}
      isPending={isPending || isCounting}
      isReady={isCounting || count === undefined || canSend}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      submit={count === undefined ? t.count : matched > 0 ? t.send({matched}) : t.sendNothing}
      title={t.title}
      variant="dialog"
    >
      <p aria-live="polite" className="min-h-6 text-lg font-semibold">
        {isCounting && t.counting}
        {count !== undefined && describeMatches(count)}
      </p>
      {count !== undefined && matched === 0 && waiting > 0 && webhook.enabled && (
        <Hint>{t.stillWaiting({amount: waiting})}</Hint>
      )}
      {count !== undefined && !webhook.enabled && <Hint>{t.disabled}</Hint>}
      <RadioGroup
        {...field('only')}
        label={t.only}
        options={(['failed', 'missed', 'all'] as const).map((id) => ({
          id,
          label: t.kinds[id].name,
          hint: t.kinds[id].hint,
        }))}
      />
      <Select
        {...field('span')}
        error={choice.span === 'own' ? undefined : fieldErrorDetail(notCounted, 'since')}
        label={t.since}
        options={spans.map((id) => ({id, label: t.spans[id] ?? id}))}
      />
      {choice.span === 'own' && (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(200px,100%),1fr))] gap-3">
          <TextField
            {...field('from')}
            error={needsTimes ? t.timesMissing : fieldErrorDetail(notCounted, 'since')}
            label={t.from}
            type="datetime-local"
          />
          <TextField
            {...field('until')}
            error={fieldErrorDetail(notCounted, 'until')}
            hint={t.untilHint}
            label={t.until}
            type="datetime-local"
          />
        </div>
      )}
      <RadioGroup
        error={fieldErrorDetail(notCounted, 'types')}
        label={t.types}
        onChange={(id) => choose({everyType: id === 'every'})}
        options={[
          {id: 'every', label: t.everyType},
          {id: 'some', label: t.someTypes},
        ]}
        value={choice.everyType ? 'every' : 'some'}
      />
      {!choice.everyType && (
        <div className="max-h-55 overflow-auto ps-7 [&_code]:text-sm">
          <CheckBoxGroup
            isLabelHidden
            label={t.types}
            onChange={(chosen) => choose({types: chosen})}
            value={[...choice.types]}
          >
            {findMatchingTypes(webhook.events, types).map((type) => (
              <CheckBox key={type} label={<code>{type}</code>} value={type} />
            ))}
          </CheckBoxGroup>
        </div>
      )}
      {notCounted !== undefined && (
        <ProblemNote
          cure={notCounted.code === 'limit_reached' ? t.runs : undefined}
          onRetry={() => countChoice(choice)}
          problem={notCounted}
        />
      )}
    </FormOverlay>
  );
}

function describeMatches({progress: {matched, total}}: Replay): string {
  const t = texts.webhookChanges.replay;
  return matched === 0 ? t.wouldNone({total}) : t.would({matched, total});
}

/** Parameters of the counted replay, with the exact times that the service has computed for them. */
function readReplayParameters({since, until, types, only}: Replay): Asked {
  return {since, until, types, only} as Asked;
}
