import {useEffect, useRef, useState} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Delivery, Webhook} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {Dialog} from '../parts/dialog.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {texts} from '../texts/texts.ts';
import {Hint} from './hint.tsx';
import {DeliveryOutcome} from './outcome.tsx';
import {useSingleAction} from './use-intent.ts';

export function SendTest({webhook, onClose}: {readonly webhook: Webhook; readonly onClose: () => void}) {
  const t = texts.webhookChanges.actions;
  const [delivery, setDelivery] = useState<Delivery>();
  const {run, isPending, problem} = useSingleAction((key) =>
    send('post', '/v1/webhooks/{webhook}/test', {webhook: webhook.id, key, body: {}}),
  );

  async function sendTest(): Promise<void> {
    const made = await run();
    if (made === undefined) return;
    setDelivery(made);
    await invalidate('delivery');
  }

  // Opening the dialog sends the test event only once.
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    void sendTest();
  });

  return (
    <Dialog
      footer={
        <>
          <Button isPending={isPending} onPress={() => void sendTest()}>
            {t.again}
          </Button>
          <Button kind="first" onPress={onClose}>
            {t.close}
          </Button>
        </>
      }
      isOpen
      onClose={onClose}
      title={t.testTitle}
    >
      <div className="grid min-w-0 gap-4">
        <Hint>{t.testText}</Hint>
        {problem !== undefined && (
          <ProblemNote
            cure={problem.code === 'webhook_disabled' ? t.testDisabled : undefined}
            onRetry={() => void sendTest()}
            problem={problem}
          />
        )}
        {isPending && (
          <p className="my-3.5" role="status">
            {t.testSending}
          </p>
        )}
        {delivery !== undefined && !isPending && <DeliveryOutcome delivery={delivery} />}
      </div>
    </Dialog>
  );
}
