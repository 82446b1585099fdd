import {CheckBox} from '../parts/check-box.tsx';
import {fieldErrorDetail} from '../parts/field-error.ts';
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
  const {draft, onChange, problem} = props;
  const t = texts.webhookChanges.fields;
  return (
    <>
      <HeaderFields {...props} />
      <RadioGroup
        error={fieldErrorDetail(problem, 'payload')}
        label={t.payload}
        onChange={(payload) => onChange({payload})}
        options={(['full', 'thin'] as const).map((id) => optionOf(id, t.payloads[id]))}
        value={draft.payload}
      />
      <RadioGroup
        error={fieldErrorDetail(problem, 'ordering')}
        label={t.ordering}
        onChange={(ordering) => onChange({ordering})}
        options={(['none', 'per_team'] as const).map((id) => optionOf(id, t.orderings[id]))}
        value={draft.ordering}
      />
      <RetryFields {...props} />
      <NumberField
        error={fieldErrorDetail(problem, 'concurrency')}
        hint={t.concurrencyHint}
        label={t.concurrency}
        onChange={(concurrency) => onChange({concurrency: Number.isNaN(concurrency) ? null : concurrency})}
        value={draft.concurrency ?? Number.NaN}
      />
      <ThrottleFields {...props} />
      <CheckBox
        error={fieldErrorDetail(problem, 'signature_versions')}
        hint={t.signingHint}
        isSelected={draft.hasPublicKey}
        label={t.signing}
        onChange={(hasPublicKey) => onChange({hasPublicKey})}
      />
      <CertificateField {...props} />
    </>
  );
}

function optionOf<Id extends string>(id: Id, {name, hint}: {readonly name: string; readonly hint: string}) {
  return {id, label: name, hint};
}

function RetryFields({draft, onChange, problem, isAsked}: WebhookFieldsProps) {
  const t = texts.webhookChanges.fields;
  const read = parseWaits(draft.waits);
  const wrong = isAsked && 'wrong' in read ? t.waitsWrong({piece: read.wrong}) : undefined;
  const detail = fieldErrorDetail(problem, 'retry_schedule');
  const {usual, own, once} = t.retries;
  return (
    <div className="grid min-w-0 gap-2">
      <RadioGroup
        label={t.retry}
        onChange={(retry) => onChange({retry})}
        options={[
          {id: 'usual', label: usual.name, hint: usual.hint({waits: formatWaits(usualWaits)})},
          optionOf('own', own),
          optionOf('once', once),
        ]}
        value={draft.retry}
      />
      {draft.retry === 'own' && (
        <Within>
          <TextField
            error={wrong ?? detail}
            hint={t.waitsHint}
            label={t.waits}
            onChange={(waits) => onChange({waits})}
            value={draft.waits}
          />
        </Within>
      )}
    </div>
  );
}

function ThrottleFields({draft, onChange, problem}: WebhookFieldsProps) {
  const t = texts.webhookChanges.fields;
  return (
    <div className="grid min-w-0 gap-2">
      <CheckBox
        hint={t.throttleHint}
        isSelected={draft.isThrottled}
        label={t.throttle}
        onChange={(isThrottled) => onChange({isThrottled})}
      />
      {draft.isThrottled && (
        <Within>
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(140px,100%),1fr))] items-end gap-3">
            <NumberField
              error={fieldErrorDetail(problem, 'throttle/max')}
              label={t.throttleMax}
              onChange={(max) => onChange({max: Number.isNaN(max) ? null : max})}
              value={draft.max ?? Number.NaN}
            />
            <NumberField
              error={fieldErrorDetail(problem, 'throttle/per_seconds')}
              label={t.throttleSeconds}
              onChange={(perSeconds) => onChange({perSeconds: Number.isNaN(perSeconds) ? null : perSeconds})}
              value={draft.perSeconds ?? Number.NaN}
            />
          </div>
        </Within>
      )}
    </div>
  );
}

function CertificateField({draft, onChange, problem}: WebhookFieldsProps) {
  const t = texts.webhookChanges.fields;
  return (
    <div className="grid min-w-0 gap-2">
      <RadioGroup
        error={fieldErrorDetail(problem, 'tls')}
        hint={t.tlsHint}
        label={t.tls}
        onChange={(tls) => onChange({tls})}
        options={(['usual', 'ca', 'none'] as const).map((id) => optionOf(id, t.tlsKinds[id]))}
        value={draft.tls}
      />
      {draft.tls === 'ca' && (
        <Within>
          <TextArea
            label={t.ca}
            onChange={(ca) => onChange({ca})}
            placeholder="-----BEGIN CERTIFICATE-----"
            rows={4}
            value={draft.ca}
          />
        </Within>
      )}
    </div>
  );
}
