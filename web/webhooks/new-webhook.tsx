import {newKey} from '../api/new-key.ts';
import {useNavigate} from '@tanstack/react-router';
import {useId, useState} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {CheckBox} from '../parts/check-box.tsx';
import {FormOverlay} from '../parts/form-overlay.tsx';
import {bindFields} from '../parts/form.tsx';
import {useDraft} from '../parts/use-draft.ts';
import {texts} from '../texts/texts.ts';
import {
  findDifferingSettings,
  emptyDraft,
  findDraftError,
  type HeaderValues,
  toNewWebhook,
  type WebhookDraft,
} from './draft.ts';
import {FirstFields} from './fields.tsx';
import {Hint} from './hint.tsx';
import {MoreFields} from './more-fields.tsx';
import {SecretOnce} from './secret-once.tsx';
import {useFocusFirstError} from './use-focus-first-error.ts';
import {useSingleAction} from './use-intent.ts';

/** Matches error pointers to fields above *More settings*. */
const firstFields = /^#\/(url|description|events|teams)(\/|$)/;

interface NewWebhookDraft {
  readonly draft: WebhookDraft;
  /** Idempotency key, renewed with each change of the request. */
  readonly key: string;
}

/** The form of a new webhook; after the creation it shows the secret once. */
export function NewWebhook({onClose}: {readonly onClose: () => void}) {
  const [made, setMade] = useState<Schema<'CreatedWebhook'>>();
  const navigate = useNavigate();
  if (made === undefined) {
    return (
      <WebhookForm
        onClose={onClose}
        onMade={(webhook) => {
          setMade(webhook);
          void invalidate('webhook');
        }}
      />
    );
  }
  return (
    <SecretOnce
      onClose={() => {
        onClose();
        void navigate({to: '/webhooks/$webhook', params: {webhook: made.id}});
      }}
      secret={made.secret}
      title={texts.webhookChanges.secret.title}
    >
      <p>{texts.webhookChanges.create.made({url: made.url})}</p>
    </SecretOnce>
  );
}

function WebhookForm({
  onClose,
  onMade,
}: {
  readonly onClose: () => void;
  readonly onMade: (webhook: Schema<'CreatedWebhook'>) => void;
}) {
  const t = texts.webhookChanges;
  const form = useId();
  const first = {draft: emptyDraft, key: newKey()};
  const [kept, setKept, dropDraft] = useDraft<NewWebhookDraft>('webhook:new', first);
  const draft = {...emptyDraft, ...kept.draft};
  const [values, setValues] = useState<HeaderValues>({});
  const [isAsked, setAsked] = useState(false);
  const {run, isPending, problem} = useSingleAction(() =>
    send('post', '/v1/webhooks', {key: kept.key, body: toNewWebhook(draft, values)}),
  );
  const differs = findDifferingSettings(draft, emptyDraft);
  const isBegun = differs.length > 0;
  const hasMore = differs.some((name) => !['url', 'description', 'events', 'teams'].includes(name));
  const [isMoreOpen, setMoreOpen] = useState(hasMore);
  const isBelow = problem?.errors.some(({pointer = ''}) => !firstFields.test(pointer));
  const focusFirstError = useFocusFirstError(form);

  async function submit(): Promise<void> {
    setAsked(true);
    const draftError = findDraftError(draft, values);
    const made = draftError === undefined ? await run() : undefined;
    if (made === undefined) {
      if (draftError !== undefined) setMoreOpen(true);
      focusFirstError();
      return;
    }
    dropDraft();
    onMade(made);
  }

  const fields = {
    draft,
    values,
    problem,
    isAsked,
    onChange: (change: Partial<WebhookDraft>, nextValues?: HeaderValues) => {
      setKept({draft: {...draft, ...change}, key: newKey()});
      if (nextValues !== undefined) setValues(nextValues);
    },
  };
  return (
    <FormOverlay
      action={
        isBegun && (
          <Button
            kind="quiet"
            onPress={() => {
              dropDraft();
              onClose();
            }}
          >
            {t.create.discard}
          </Button>
        )
      }
      cancel={t.create.later}
      id={form}
      isPending={isPending}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      submit={t.create.submit}
      title={t.create.open}
      variant="sheet"
    >
      <FirstFields {...fields} />
      <details
        className="min-w-0 border-t border-line"
        onToggle={({currentTarget}) => setMoreOpen(currentTarget.open)}
        open={isMoreOpen || isBelow}
      >
        <summary className="cursor-pointer py-2.5 font-medium">{t.fields.more}</summary>
        <div className="grid min-w-0 gap-4">
          <MoreFields {...fields} />
          <CheckBox
            {...bindFields(draft, fields.onChange).check('enabled')}
            hint={t.fields.enabledHint}
            label={t.fields.enabled}
          />
          <Hint>{t.fields.version({version: 'v1'})}</Hint>
        </div>
      </details>
      {isBegun && <Hint>{t.create.kept}</Hint>}
    </FormOverlay>
  );
}
