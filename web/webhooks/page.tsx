import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {useRef} from 'react';
import {meQuery} from '../api/queries.ts';
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
import styles from './page.module.css';
import {type ListedWebhook, webhooksQuery} from './queries.ts';
import {findHealthState} from './sentence.ts';
import {HealthMark} from './health-mark.tsx';

/** The page with all webhooks and their health. */
export function WebhooksPage() {
  const t = texts.webhooks;
  const create = useRef<HTMLSpanElement>(null);
  const {data: me, error} = useQuery(meQuery);
  const isAllowed = me !== undefined && managesWorkspace(me);
  const list = useInfiniteQuery({...webhooksQuery, enabled: isAllowed});
  const webhooks = list.data?.pages.flatMap(({data}) => data);
  const problem = error ?? list.error;
  return (
    <div className={styles['page']}>
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
          // This button presses the button in the header. A dialog of its own would close when the empty list
          // disappears.
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
          <ul aria-label={t.list} className={styles['list']}>
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
    <li className={styles['row']}>
      <div className={styles['name']}>
        <Link dir="auto" params={{webhook: webhook.id}} to="/webhooks/$webhook">
          {nameWebhook(webhook)}
        </Link>
        <span className={styles['url']} dir="ltr">
          {webhook.url}
        </span>
        <span className={styles['events']}>{describeEventTypes(webhook)}</span>
      </div>
      <div className={styles['state']}>
        {health !== undefined && <HealthMark healthState={findHealthState(webhook, health)} />}
      </div>
      {health !== undefined && (
        <dl className={styles['facts']}>
          <div>
            <dt>{t.lastResult}</dt>
            <dd>
              {last === null ? (
                t.never
              ) : (
                <>
                  {describeOutcome(last)}, <Stamp instant={last.at} relative />
                </>
              )}
            </dd>
          </div>
          <div>
            <dt>{t.backlog}</dt>
            <dd>{backlog?.pending ? t.waiting({amount: backlog.pending}) : t.nothingWaits}</dd>
          </div>
        </dl>
      )}
    </li>
  );
}
