import {useQueryClient} from '@tanstack/react-query';
import {useState} from 'react';
import type {Delivery} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {texts} from '../texts/texts.ts';
import {aboutDeliveries, outcomeQuery, refetchStaleQueries, redeliver} from './changes.ts';
import {DeliveryOutcome} from './outcome.tsx';
import {useSingleAction} from './use-intent.ts';

/** Sends a delivery again, and shows the outcome. */
export function Redeliver({delivery}: {readonly delivery: Delivery}) {
  const t = texts.webhookChanges.redeliver;
  const client = useQueryClient();
  const [sent, setSent] = useState<Delivery>();
  const {run, isPending, problem} = useSingleAction((key) => redeliver(delivery, key));

  async function send(): Promise<void> {
    const answer = await run();
    if (answer === undefined) return;
    client.setQueryData(outcomeQuery(answer).queryKey, answer);
    setSent(answer);
    await refetchStaleQueries(client, aboutDeliveries);
  }

  return (
    <div className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button isPending={isPending} onPress={() => void send()} size="small">
          {t.send}
        </Button>
        {sent !== undefined && !isPending && <DeliveryOutcome attempts={sent.attempts} delivery={sent} />}
      </div>
      {problem !== undefined && (
        <ProblemNote
          cure={problem.code === 'webhook_disabled' ? t.disabled : undefined}
          onRetry={() => void send()}
          problem={problem}
        />
      )}
    </div>
  );
}
