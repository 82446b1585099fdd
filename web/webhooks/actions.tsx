import {lazy, Suspense, useState} from 'react';
import {queryClient, invalidate} from '../api/queries.ts';
import type {Webhook} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {MenuButton} from '../parts/menu-button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {toast} from '../parts/toast.ts';
import {texts} from '../texts/texts.ts';
import {webhookQuery} from './queries.ts';
import {useSingleAction} from './use-intent.ts';

const SendTest = lazy(() => import('./send-test.tsx').then(({SendTest}) => ({default: SendTest})));
const RotateSecret = lazy(() => import('./rotate.tsx').then(({RotateSecret}) => ({default: RotateSecret})));
const DeleteWebhook = lazy(() =>
  import('./delete.tsx').then(({DeleteWebhook}) => ({default: DeleteWebhook})),
);

export function WebhookActions({webhook}: {readonly webhook: Webhook}) {
  const t = texts.webhookChanges.actions;
  const [opened, setOpened] = useState<'test' | 'rotate' | 'delete'>();
  const close = (): void => setOpened(undefined);
  const {toggle, isPending, problem} = useEnabledSwitch(webhook);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Button onPress={() => setOpened('test')}>{t.test}</Button>
        <Button isPending={isPending} onPress={() => void toggle()}>
          {webhook.enabled ? t.switchOff : t.switchOn}
        </Button>
        <MenuButton
          items={[
            {id: 'rotate', label: t.rotate, icon: 'key', onAction: () => setOpened('rotate')},
            {
              id: 'delete',
              label: t.delete,
              icon: 'trash',
              kind: 'danger',
              onAction: () => setOpened('delete'),
            },
          ]}
          label={t.more}
        />
      </div>
      {problem !== undefined && <ProblemNote onRetry={() => void toggle()} problem={problem} />}
      <Suspense>
        {opened === 'test' && <SendTest onClose={close} webhook={webhook} />}
        {opened === 'rotate' && <RotateSecret onClose={close} webhook={webhook} />}
        {opened === 'delete' && <DeleteWebhook onClose={close} webhook={webhook} />}
      </Suspense>
    </>
  );
}

/** Enables or disables the webhook. The page shows the new state once the service has answered. */
function useEnabledSwitch(webhook: Webhook) {
  const t = texts.webhookChanges.actions;
  const enabled = !webhook.enabled;
  const {run, isPending, problem} = useSingleAction((key) =>
    send('patch', '/v1/webhooks/{webhook}', {
      webhook: webhook.id,
      revision: webhook.revision,
      key: `${key}-${webhook.revision}`,
      body: {enabled},
    }),
  );

  async function toggle(): Promise<void> {
    const changed = await run();
    if (changed !== undefined) {
      queryClient.setQueryData(webhookQuery(webhook.id).queryKey, changed);
      toast({text: changed.enabled ? t.switchedOn : t.switchedOff});
    }
    await invalidate('webhook', 'delivery');
  }

  return {toggle, isPending, problem};
}
