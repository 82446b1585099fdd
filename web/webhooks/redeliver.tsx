import {useState} from 'react';
import {queryClient, invalidate} from '../api/queries.ts';
import type {Delivery} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {texts} from '../texts/texts.ts';
import {DeliveryOutcome} from './outcome.tsx';
import {outcomeQuery} from './queries.ts';
import {useSingleAction} from './use-intent.ts';

export function Redeliver({delivery}: {readonly delivery: Delivery}) {
  const t = texts.webhookChanges.redeliver;
  const [sent, setSent] = useState<Delivery>();
  const {run, isPending, problem} = useSingleAction((key) =>
    send('post', '/v1/deliveries/{delivery}/redeliver', {delivery: delivery.id, key, body: {}}),
  );

  async function sendAgain(): Promise<void> {
    const answer = await run();
    if (answer === undefined) return;
    queryClient.setQueryData(outcomeQuery(answer).queryKey, answer);
    setSent(answer);
    await invalidate('delivery');
  }

  return (
    <div className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button isPending={isPending} onPress={() => void sendAgain()} size="small">
          {t.send}
        </Button>
        {sent !== undefined && !isPending && <DeliveryOutcome attempts={sent.attempts} delivery={sent} />}
      </div>
      {problem !== undefined && (
        <ProblemNote
          cure={problem.code === 'webhook_disabled' ? t.disabled : undefined}
          onRetry={() => void sendAgain()}
          problem={problem}
        />
      )}
    </div>
  );
}
