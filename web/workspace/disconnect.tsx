import {useState} from 'react';
import {invalidate} from '../api/queries.ts';
import {send} from '../api/send.ts';
import {getScopeExpiry} from '../api/session.ts';
import {Button} from '../parts/button.tsx';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {useNow} from '../parts/use-now.ts';
import {texts} from '../texts/texts.ts';

/** Disconnects the Slack workspace `name`. The person types that name to confirm. */
export function Disconnect({name}: {readonly name: string}) {
  const now = useNow(1_000);
  const [isAsking, setAsking] = useState(false);
  const {slack: t} = texts.workspace;
  const {run, isPending, problem, reset} = useAction(() => send('delete', '/v1/slack', {}));
  const disconnect = async (): Promise<void> => {
    if ((await run()) === undefined) return;
    toast({text: t.disconnected});
    await invalidate('workspace');
  };
  const isHeld = (getScopeExpiry('workspace:manage') ?? 0) > now;
  return (
    <div className="grid gap-2 border-t border-line pt-3">
      {isHeld ? (
        <div className="flex flex-wrap items-center gap-3">
          <Button kind="danger" onPress={() => setAsking(true)}>
            {t.disconnect}
          </Button>
        </div>
      ) : (
        <p className="text-xs text-quiet">{t.confirmAbove}</p>
      )}
      <ConfirmDialog
        confirm={t.disconnect}
        isOpen={isAsking}
        isPending={isPending}
        onClose={() => {
          setAsking(false);
          reset();
        }}
        onConfirm={disconnect}
        problem={problem}
        text={<p className="my-3.5">{t.disconnectText}</p>}
        title={t.disconnectTitle}
        typed={name}
      />
    </div>
  );
}
