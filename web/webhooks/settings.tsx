import {useQuery} from '@tanstack/react-query';
import {useEffect, useId, useRef, useState} from 'react';
import {meQuery, queryClient, invalidate} from '../api/queries.ts';
import type {Webhook} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {Form} from '../parts/form.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {toast} from '../parts/toast.ts';
import {useDraft} from '../parts/use-draft.ts';
import {texts} from '../texts/texts.ts';
import {Conflict} from './conflict.tsx';
import {
  buildWebhookPatch,
  findDifferingSettings,
  toWebhookDraft,
  emptyDraft,
  findDraftError,
  type HeaderValues,
  applyDraftChanges,
  type WebhookDraft,
} from './draft.ts';
import {FirstFields} from './fields.tsx';
import {Hint} from './hint.tsx';
import {MoreFields} from './more-fields.tsx';
import {buildSettingsDraftKey, webhookQuery} from './queries.ts';
import {useFocusFirstError} from './use-focus-first-error.ts';
import {useSingleAction} from './use-intent.ts';

/** A draft (`mine`), and the settings on which it is based (`base`). */
interface WebhookSettingsDraft {
  readonly base: WebhookDraft;
  readonly mine: WebhookDraft;
}

export function WebhookSettings({webhook}: {readonly webhook: Webhook}) {
  // Drafts belong to the signed-in member, so the form waits until that member is known.
  const {data: me} = useQuery(meQuery);
  return me === undefined ? <Skeleton height={240} /> : <SettingsForm webhook={webhook} />;
}

function SettingsForm({webhook}: {readonly webhook: Webhook}) {
  const t = texts.webhookChanges;
  const form = useId();
  const theirs = toWebhookDraft(webhook);
  const [kept, setKept, dropDraft] = useDraft<WebhookSettingsDraft | null>(
    buildSettingsDraftKey(webhook),
    null,
  );
  // This form does not edit `enabled`, so both versions take the saved value.
  const {enabled} = theirs;
  const base = {...emptyDraft, ...(kept?.base ?? theirs), enabled};
  const mine = {...emptyDraft, ...(kept?.mine ?? theirs), enabled};
  const newest = useRef(kept);
  const [values, setValues] = useState<HeaderValues>({});
  const [isAsked, setAsked] = useState(false);
  const focusFirstError = useFocusFirstError(form);
  useEffect(() => void (newest.current = kept));
  const isDirty = kept !== null && JSON.stringify(base) !== JSON.stringify(mine);
  const isBehind = isDirty && findDifferingSettings(base, theirs).length > 0;
  const {run, isPending, problem, renew, reset} = useSingleAction((key) =>
    send('patch', '/v1/webhooks/{webhook}', {
      webhook: webhook.id,
      revision: webhook.revision,
      key: `${key}-${webhook.revision}`,
      body: buildWebhookPatch(base, mine, values),
    }),
  );

  function changeDraft(next: WebhookSettingsDraft | null): void {
    renew();
    reset();
    setAsked(false);
    setKept(next);
    if (next !== null) return;
    setValues({});
    dropDraft();
  }

  async function save(): Promise<void> {
    setAsked(true);
    if (isBehind || !isDirty) return;
    const sent = mine;
    const changed = findDraftError(mine, values) === undefined ? await run() : undefined;
    if (changed === undefined) {
      // Loads the saved settings, so that the form shows both versions after a conflict.
      await queryClient.refetchQueries({queryKey: webhookQuery(webhook.id).queryKey});
      focusFirstError();
      return;
    }
    queryClient.setQueryData(webhookQuery(webhook.id).queryKey, changed);
    // Text typed during the save becomes a draft on top of the saved settings.
    const saved = toWebhookDraft(changed);
    const typed = newest.current === null ? sent : {...emptyDraft, ...newest.current.mine, enabled};
    const isLater = JSON.stringify(typed) !== JSON.stringify(sent);
    changeDraft(isLater ? {base: saved, mine: applyDraftChanges(sent, typed, saved)} : null);
    toast({text: t.settings.saved});
    await invalidate('webhook');
  }

  const fields = {
    draft: mine,
    values,
    problem,
    isAsked,
    onChange: (change: Partial<WebhookDraft>, nextValues?: HeaderValues) => {
      setKept({base: isDirty ? base : theirs, mine: {...mine, ...change}});
      renew();
      if (nextValues !== undefined) setValues(nextValues);
    },
  };
  return (
    <div className="max-w-narrow pt-2">
      <Form id={form} onSubmit={() => void save()} problem={problem}>
        {isBehind && (
          <Conflict
            base={base}
            mine={mine}
            onKeepMine={() => changeDraft({base: theirs, mine: applyDraftChanges(base, mine, theirs)})}
            onTakeTheirs={() => changeDraft(null)}
            theirs={theirs}
          />
        )}
        <FirstFields {...fields} />
        <MoreFields {...fields} />
        {webhook.signature_versions.includes('v1a') && (
          <p>
            {t.fields.publicKey} <code dir="ltr">{webhook.public_key}</code>
          </p>
        )}
        <Hint>{t.fields.version({version: webhook.api_version})}</Hint>
        {problem !== undefined && !(problem.status === 412 && isBehind) && (
          <ProblemNote onRetry={() => void save()} problem={problem} />
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Button isDisabled={!isDirty || isBehind} isPending={isPending} kind="first" type="submit">
            {t.settings.save}
          </Button>
          {isDirty && (
            <Button kind="quiet" onPress={() => changeDraft(null)}>
              {t.settings.discard}
            </Button>
          )}
        </div>
        {isDirty && <Hint>{t.settings.unsaved}</Hint>}
      </Form>
    </div>
  );
}
