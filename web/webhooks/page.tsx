import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {type ReactNode, useRef} from 'react';
import {meQuery} from '../api/queries.ts';
import type {ListedWebhook} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {describeOutcome} from '../parts/deliveries/outcomes.ts';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {managesWorkspace} from '../parts/rights.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {texts} from '../texts/texts.ts';
import {CreateWebhook} from './create.tsx';
import {describeEventTypes, nameWebhook} from './names.ts';
import {webhooksQuery} from './queries.ts';
import {findHealthState} from './sentence.ts';
import {HealthMark} from './health-mark.tsx';

export function WebhooksPage() {
  const t = texts.webhooks;
  const create = useRef<HTMLSpanElement>(null);
  const {data: me, error} = useQuery(meQuery);
  const isAllowed = me !== undefined && managesWorkspace(me);
  const list = useInfiniteQuery({...webhooksQuery, enabled: isAllowed});
  const webhooks = list.data?.pages.flatMap(({data}) => data);
  const problem = error ?? list.error;
  return (
    <div className="grid gap-4 *:min-w-0 [&>header]:mb-0!">
      <PageHead
        actions={
          isAllowed && (
            <span ref={create}>
              <CreateWebhook />
            </span>
          )
        }
        sub={t.sub}
        title={t.title}
      />
      {me !== undefined && !isAllowed && <Empty icon="webhook" {...t.forManagers} />}
      {problem !== null && <ProblemNote onRetry={list.refetch} problem={problem} />}
      {webhooks === undefined && problem === null && (me === undefined || isAllowed) && (
        <Skeleton height={180} />
      )}
      {webhooks?.length === 0 && (
        <Empty
          // Presses the header's button: a dialog here would close when the empty list disappears.
          action={
            <Button icon="plus" onPress={() => create.current?.querySelector('button')?.click()}>
              {t.first}
            </Button>
          }
          icon="webhook"
          {...t.empty}
        />
      )}
      {webhooks !== undefined && webhooks.length > 0 && (
        <Card as="div" padding="none">
          <ul aria-label={t.list} className="divide-y divide-line">
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        </Card>
      )}
      {list.hasNextPage && (
        <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </div>
  );
}

function WebhookRow({webhook}: {readonly webhook: ListedWebhook}) {
  const t = texts.webhooks;
  const {health} = webhook;
  const {last_attempt: last = null, backlog} = health ?? {};
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_140px_280px] items-start gap-x-5 gap-y-1 px-5 py-3.5 max-[800px]:grid-cols-1 max-[800px]:px-4 max-[800px]:py-3">
      <div className="grid min-w-0">
        <Link
          className="justify-self-start font-semibold"
          dir="auto"
          params={{webhook: webhook.id}}
          to="/webhooks/$webhook"
        >
          {nameWebhook(webhook)}
        </Link>
        <span className="truncate text-start text-quiet" dir="ltr">
          {webhook.url}
        </span>
        <span className="text-xs text-quiet">{describeEventTypes(webhook)}</span>
      </div>
      <div>{health !== undefined && <HealthMark healthState={findHealthState(webhook, health)} />}</div>
      {health !== undefined && (
        <dl className="grid gap-0.5">
          <Fact name={t.lastResult}>
            {last === null ? (
              t.never
            ) : (
              <>
                {describeOutcome(last)}, <Stamp instant={last.at} relative />
              </>
            )}
          </Fact>
          <Fact name={t.backlog}>
            {backlog?.pending ? t.waiting({amount: backlog.pending}) : t.nothingWaits}
          </Fact>
        </dl>
      )}
    </li>
  );
}

function Fact({name, children}: {readonly name: string; readonly children: ReactNode}) {
  return (
    <div className="flex flex-wrap gap-x-2">
      <dt className="text-quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
