import {CheckBox} from '../parts/check-box.tsx';
import {bindFields} from '../parts/form.tsx';
import {NumberField} from '../parts/number-field.tsx';
import {RadioGroup} from '../parts/radio-group.tsx';
import {TextArea} from '../parts/text-area.tsx';
import {TextField} from '../parts/text-field.tsx';
import {texts} from '../texts/texts.ts';
import type {WebhookFieldsProps} from './fields.tsx';
import {HeaderFields} from './header-fields.tsx';
import {parseWaits, usualWaits, formatWaits} from './waits.ts';
import {Within} from './within.tsx';

/** Fields for delivery settings whose defaults suit most webhooks. */
export function MoreFields(props: WebhookFieldsProps) {
  const {draft, onChange} = props;
  const {field, check} = bindFields(draft, onChange);
  const t = texts.webhookChanges.fields;
  return (
    <>
      <HeaderFields {...props} />
      <RadioGroup
        {...field('payload')}
        label={t.payload}
        options={(['full', 'thin'] as const).map((id) => optionOf(id, t.payloads[id]))}
      />
      <CheckBox {...check('plainText', 'plain_text')} hint={t.plainTextHint} label={t.plainText} />
      <RadioGroup
        {...field('ordering')}
        label={t.ordering}
        options={(['none', 'per_team'] as const).map((id) => optionOf(id, t.orderings[id]))}
      />
      <RetryFields {...props} />
      <NumberField
        hint={t.concurrencyHint}
        label={t.concurrency}
        name="concurrency"
        onChange={(concurrency) => onChange({concurrency: Number.isNaN(concurrency) ? null : concurrency})}
        value={draft.concurrency ?? Number.NaN}
      />
      <ThrottleFields {...props} />
      <CheckBox {...check('hasPublicKey', 'signature_versions')} hint={t.signingHint} label={t.signing} />
      <CertificateField {...props} />
    </>
  );
}

function optionOf<Id extends string>(id: Id, {name, hint}: {readonly name: string; readonly hint: string}) {
  return {id, label: name, hint};
}

function RetryFields({draft, onChange, isAsked}: WebhookFieldsProps) {
  const {field} = bindFields(draft, onChange);
  const t = texts.webhookChanges.fields;
  const read = parseWaits(draft.waits);
  const wrong = isAsked && 'wrong' in read ? t.waitsWrong({piece: read.wrong}) : undefined;
  const {usual, own, once} = t.retries;
  return (
    <div className="grid min-w-0 gap-2">
      <RadioGroup
        {...field('retry')}
        label={t.retry}
        options={[
          {id: 'usual', label: usual.name, hint: usual.hint({waits: formatWaits(usualWaits)})},
          optionOf('own', own),
          optionOf('once', once),
        ]}
      />
      {draft.retry === 'own' && (
        <Within>
          <TextField {...field('waits', 'retry_schedule')} error={wrong} hint={t.waitsHint} label={t.waits} />
        </Within>
      )}
    </div>
  );
}

function ThrottleFields({draft, onChange}: WebhookFieldsProps) {
  const {check} = bindFields(draft, onChange);
  const t = texts.webhookChanges.fields;
  return (
    <div className="grid min-w-0 gap-2">
      <CheckBox {...check('isThrottled')} hint={t.throttleHint} label={t.throttle} />
      {draft.isThrottled && (
        <Within>
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(140px,100%),1fr))] items-end gap-3">
            <NumberField
              label={t.throttleMax}
              name="throttle/max"
              onChange={(max) => onChange({max: Number.isNaN(max) ? null : max})}
              value={draft.max ?? Number.NaN}
            />
            <NumberField
              label={t.throttleSeconds}
              name="throttle/per_seconds"
              onChange={(perSeconds) => onChange({perSeconds: Number.isNaN(perSeconds) ? null : perSeconds})}
              value={draft.perSeconds ?? Number.NaN}
            />
          </div>
        </Within>
      )}
    </div>
  );
}

function CertificateField({draft, onChange}: WebhookFieldsProps) {
  const {field} = bindFields(draft, onChange);
  const t = texts.webhookChanges.fields;
  return (
    <div className="grid min-w-0 gap-2">
      <RadioGroup
        {...field('tls')}
        hint={t.tlsHint}
        label={t.tls}
        options={(['usual', 'ca', 'none'] as const).map((id) => optionOf(id, t.tlsKinds[id]))}
      />
      {draft.tls === 'ca' && (
        <Within>
          <TextArea {...field('ca')} label={t.ca} placeholder="-----BEGIN CERTIFICATE-----" rows={4} />
        </Within>
      )}
    </div>
  );
}
