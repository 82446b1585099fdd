import {useQuery} from '@tanstack/react-query';
import {lazy, Suspense, useState} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {formatTimeSince} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {accountsQuery, type Token} from './queries.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('../parts/confirm-dialog.tsx')).ConfirmDialog,
}));

interface AccountsProps {
  readonly tokens: readonly Token[];
  /** True when all tokens are loaded, so that they can be counted. */
  readonly isWhole: boolean;
}

export function Accounts({tokens, isWhole}: AccountsProps) {
  const t = texts.tokens.accounts;
  const {data, error, refetch} = useQuery(accountsQuery);
  return (
    <section aria-labelledby="service-accounts" className="mt-4 grid gap-3">
      <div>
        <h2 id="service-accounts">{t.title}</h2>
        <p className="text-sm text-quiet">{t.text}</p>
      </div>
      {data === undefined && error === null && <Skeleton lines={3} />}
      {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
      {data?.data.length === 0 && <p className="text-sm text-quiet">{t.none}</p>}
      {data !== undefined && data.data.length > 0 && (
        <Card as="div" padding="none">
          <ul aria-label={t.title} className="divide-y divide-line">
            {data.data.map((account) => (
              <Account account={account} isWhole={isWhole} key={account.id} tokens={tokens} />
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}

function Account({account, tokens, isWhole}: AccountsProps & {readonly account: Schema<'ServiceAccount'>}) {
  const t = texts.tokens.accounts;
  const {id, name, created_at: at} = account;
  const [isAsked, setAsked] = useState(false);
  const held = tokens.filter(({holder}) => holder.id === id).length;
  const remove = useAction(async () => {
    await send('delete', '/v1/service-accounts/{service_account}', {
      service_account: account.id,
      revision: account.revision,
    });
    setAsked(false);
    toast({text: t.deleted({name})});
    await invalidate('access_token');
  });
  return (
    <li
      aria-label={name}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 px-4 py-3 max-sm:grid-cols-1"
    >
      <div className="grid gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 font-semibold">
          <bdi>{name}</bdi>
        </p>
        <p className="text-sm text-quiet">
          {isWhole && `${t.tokens({amount: held})} · `}
          {t.made({when: formatTimeSince(at)})}
        </p>
      </div>
      <div className="grid justify-items-end">
        <Button kind="danger" onPress={() => setAsked(true)} size="small">
          {t.delete}
        </Button>
      </div>
      {isAsked && (
        <Suspense>
          <ConfirmDialog
            confirm={t.delete}
            isOpen
            isPending={remove.isPending}
            onClose={() => setAsked(false)}
            onConfirm={() => remove.run()}
            problem={remove.problem}
            text={t.deleteText}
            title={t.deleteTitle({name})}
            typed={name}
          />
        </Suspense>
      )}
    </li>
  );
}
