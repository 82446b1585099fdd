import {useQuery} from '@tanstack/react-query';
import {useNavigate} from '@tanstack/react-router';
import {dropDraft} from '../api/drafts.ts';
import {invalidate} from '../api/queries.ts';
import type {Webhook} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {useIsHere} from '../parts/use-is-here.ts';
import {texts} from '../texts/texts.ts';
import {nameWebhook} from './names.ts';
import {healthQuery, leaving} from './queries.ts';

/** Deletes a webhook. The person types its name or host first, since this cannot be undone. */
export function DeleteWebhook({webhook, onClose}: {readonly webhook: Webhook; readonly onClose: () => void}) {
  const t = texts.webhookChanges.actions;
  const navigate = useNavigate();
  const isHere = useIsHere();
  const {data: health} = useQuery(healthQuery(webhook.id, 5_000));
  const waiting = (health?.backlog.pending ?? 0) + (health?.backlog.behind ?? 0);
  const {run, isPending, problem} = useAction(async () => {
    const {id, revision} = webhook;
    leaving.add(id);
    try {
      return await send('delete', '/v1/webhooks/{webhook}', {webhook: id, revision});
    } catch (error) {
      leaving.delete(id);
      throw error;
    }
  });

  async function remove(): Promise<void> {
    if ((await run()) === undefined) {
      await invalidate('webhook');
      return;
    }
    dropDraft(`webhook:${webhook.id}`);
    toast({text: t.deleted});
    if (isHere()) await navigate({to: '/webhooks'});
    await invalidate('webhook');
  }

  return (
    <ConfirmDialog
      confirm={t.deleteConfirm}
      isOpen
      isPending={isPending}
      onClose={onClose}
      onConfirm={() => void remove()}
      problem={problem}
      text={
        <>
          <p className="my-3.5">{t.deleteText}</p>
          {waiting > 0 && (
            <p className="my-3.5">
              <strong>{t.deleteWaiting({waiting})}</strong>
            </p>
          )}
        </>
      }
      title={t.deleteTitle}
      typed={nameWebhook(webhook)}
    />
  );
}
