import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {meQuery} from '../api/queries.ts';
import type {Mail} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Empty} from '../parts/empty.tsx';
import {hasFeature} from '../parts/features.ts';
import {MailState, nameMailState} from '../parts/mail-state.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {mayUse} from '../parts/rights.ts';
import {Select} from '../parts/select.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {findText, texts} from '../texts/texts.ts';
import {MailDetails} from './details.tsx';
import {mailsQuery} from './queries.ts';
import {mailStates, type MailStateName} from './states.ts';

export function MailPage() {
  const t = texts.mail;
  const {data: me, error} = useQuery(meQuery);
  return (
    <>
      <PageHead sub={t.sub} title={t.title} />
      {error !== null && <ProblemNote problem={error} />}
      {error === null && me === undefined && <Skeleton lines={5} />}
      {me !== undefined && !mayUse(me, 'workspace:manage') && <Empty icon="mail" {...t.forbidden} />}
      {mayUse(me, 'workspace:manage') && <Mails />}
    </>
  );
}

function Mails() {
  const t = texts.mail;
  const [state, setState] = useState<MailStateName | 'all'>('all');
  const [opened, setOpened] = useState<string>();
  const list = useInfiniteQuery(mailsQuery(state === 'all' ? undefined : state));
  const rows = list.data?.pages.flatMap(({data}) => data) ?? [];
  const isEmpty = list.data !== undefined && rows.length === 0 && !list.hasNextPage;
  if (isEmpty && state === 'all') return <Empty icon="mail" {...(hasFeature('mail') ? t.none : t.off)} />;
  return (
    <div className="grid gap-4">
      <div className="w-60 max-w-full">
        <Select
          label={t.state}
          onChange={setState}
          options={(['all', ...mailStates] as const).map((id) => ({
            id,
            label: id === 'all' ? t.all : nameMailState(id),
          }))}
          value={state}
        />
      </div>
      {list.error !== null && <ProblemNote onRetry={list.refetch} problem={list.error} />}
      {list.data === undefined && list.error === null && <Skeleton lines={5} />}
      {isEmpty && <p className="text-quiet">{t.noneInState}</p>}
      {rows.length > 0 && (
        <ul aria-label={t.title} className="divide-y divide-line rounded-lg border border-line bg-card">
          {rows.map((mail) => (
            <MailRow key={mail.id} mail={mail} onOpen={() => setOpened(mail.id)} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div>
          <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()} size="small">
            {t.more}
          </Button>
        </div>
      )}
      {opened !== undefined && <MailDetails id={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

function MailRow({
  mail: {to, kind, state, detail, created_at},
  onOpen,
}: {
  readonly mail: Mail;
  readonly onOpen: () => void;
}) {
  const t = texts.mail;
  return (
    <li aria-label={to} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold wrap-anywhere">{to}</p>
        <p className="text-sm text-quiet wrap-anywhere">
          {findText(t.kinds, kind) ?? kind} · <MailState state={state} /> ·{' '}
          <Stamp instant={created_at} relative />
        </p>
        {state === 'failed' && detail !== null && <p className="text-sm wrap-anywhere">{detail}</p>}
      </div>
      <Button aria-label={t.showFor({email: to})} onPress={onOpen} size="small">
        {t.show}
      </Button>
    </li>
  );
}
