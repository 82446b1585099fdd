import {queryClient, invalidate} from '../api/queries.ts';
import type {Webhook} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {toast} from '../parts/toast.ts';
import {texts} from '../texts/texts.ts';
import {healthQuery} from './queries.ts';
import {useSingleAction} from './use-intent.ts';

export function TryNow({webhook}: {readonly webhook: Webhook}) {
  const t = texts.webhookChanges.tryNow;
  const {run, isPending, problem} = useSingleAction((key) =>
    send('post', '/v1/webhooks/{webhook}/try', {webhook: webhook.id, key, body: {}}),
  );

  async function tryNow(): Promise<void> {
    const health = await run();
    if (health === undefined) return;
    queryClient.setQueryData(healthQuery(webhook.id, 0).queryKey, health);
    toast({text: health.breaker.state === 'open' ? t.probing : t.sending});
    await invalidate('delivery');
  }

  return (
    <>
      <Button isPending={isPending} onPress={() => void tryNow()} size="small">
        {t.send}
      </Button>
      {problem !== undefined && <ProblemNote onRetry={() => void tryNow()} problem={problem} />}
    </>
  );
}
