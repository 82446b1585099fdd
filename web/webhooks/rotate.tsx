import {useState} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Schema, Webhook} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {FormOverlay} from '../parts/form-overlay.tsx';
import {RadioGroup} from '../parts/radio-group.tsx';
import {formatMoment} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {SecretOnce} from './secret-once.tsx';
import {useSingleAction} from './use-intent.ts';

/** Times in seconds for which the old secret stays valid; the first one is the default. */
const overlaps = ['86400', '3600', '604800', '0'] as const;

export function RotateSecret({webhook, onClose}: {readonly webhook: Webhook; readonly onClose: () => void}) {
  const {rotate: t, secret: secretTexts} = texts.webhookChanges;
  const [overlap, setOverlap] = useState<string>(overlaps[0]);
  const [rotated, setRotated] = useState<Schema<'RotatedWebhook'>>();
  const {run, isPending, problem, renew} = useSingleAction((key) =>
    send('post', '/v1/webhooks/{webhook}/rotate-secret', {
      webhook: webhook.id,
      key,
      body: {overlap_seconds: Number(overlap)},
    }),
  );

  async function submit(): Promise<void> {
    const answer = await run();
    if (answer === undefined) return;
    setRotated(answer);
    await invalidate('webhook');
  }

  if (rotated !== undefined) {
    const {secret, previous_secret_expires_at: until} = rotated;
    const isOver = until === null || Date.parse(until) <= Date.now();
    return (
      <SecretOnce onClose={onClose} secret={secret} title={secretTexts.titleRotated}>
        <p>{isOver ? secretTexts.only : secretTexts.both({until: formatMoment(until)})}</p>
      </SecretOnce>
    );
  }
  return (
    <FormOverlay
      isPending={isPending}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      submit={t.submit}
      title={t.title}
      variant="dialog"
    >
      <p className="my-3.5">{t.text}</p>
      <RadioGroup
        label={t.overlap}
        onChange={(id) => {
          setOverlap(id);
          renew();
        }}
        options={overlaps.map((id) => {
          const {name, hint}: {readonly name: string; readonly hint?: string} = t.overlaps[id];
          return {id, label: name, hint};
        })}
        value={overlap}
      />
    </FormOverlay>
  );
}
